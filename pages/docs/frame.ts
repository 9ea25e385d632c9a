import { escapeHtml, type Guide, guideGroups, guides, type RenderedGuide } from './guides.ts';

const head = (title: string, more: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – Bakery Commerce</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
${more}
</head>`;

const topLink = (href: string, text: string, isCurrent: boolean): string =>
  `<a href="${href}"${isCurrent ? ' aria-current="page"' : ''}>${text}</a>`;

const topBar = (place: 'guides' | 'reference'): string => `<header class="top" id="top">
<a class="skip" href="#content">Skip to content</a>
<a class="brand" href="/docs/">Bakery Commerce</a>
<nav aria-label="Site">${topLink('/docs/', 'Guides', place === 'guides')}${topLink('/docs/reference/', 'Reference', place === 'reference')}${topLink('/developers/', 'Developers', false)}</nav>
</header>`;

const pageLink = ({ slug, title }: Guide, current: Guide): string =>
  `<li><a href="/docs/${slug}"${slug === current.slug ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`;

const groups = (current: Guide): string =>
  guideGroups
    .map(({ title, guides: pages }) => `<h2>${title}</h2><ul>${pages.map((page) => pageLink(page, current)).join('')}</ul>`)
    .join('\n');

const neighbour = (page: Guide | undefined, label: string, rel: string): string =>
  page ? `<a rel="${rel}" href="/docs/${page.slug}"><span>${label}</span> ${escapeHtml(page.title)}</a>` : '<span></span>';

/** A guide in the frame that all share. */
export const guidePage = (guide: Guide, { html, sections }: RenderedGuide): string => {
  const index = guides.indexOf(guide);
  const outline = sections.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`).join('');
  return `${head(guide.title, '<link rel="stylesheet" href="/docs/guide.css">\n<script type="module" src="/docs/guide.js"></script>')}
<body>
${topBar('guides')}
<div class="columns">
<nav class="pages" aria-label="Guides"><details><summary>${escapeHtml(guide.title)}</summary>
${groups(guide)}
</details></nav>
<main id="content" tabindex="-1">
${html}
<nav class="neighbours" aria-label="Previous and next">${neighbour(guides[index - 1], 'Previous', 'prev')}${neighbour(guides[index + 1], 'Next', 'next')}</nav>
</main>
<nav class="outline" aria-label="On this page"><h2>On this page</h2><ul>${outline}</ul></nav>
</div>
</body>
</html>
`;
};

/** The page that Redoc fills. */
export const referencePage =
  (): string => `${head('API reference', '<link rel="stylesheet" href="/docs/reference.css">\n<script defer src="/docs/redoc.js"></script>\n<script type="module" src="/docs/reference.js"></script>')}
<body class="reference">
${topBar('reference')}
<main id="content" tabindex="-1"><div id="reference"><p class="wait">Reading the reference…</p><noscript>The reference needs scripts; the document is at <a href="/docs/openapi.json">/docs/openapi.json</a>.</noscript></div></main>
<div id="try"></div>
</body>
</html>
`;
