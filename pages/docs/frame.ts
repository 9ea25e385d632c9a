import { escapeHtml } from './markdown.ts';

/** One page of the site in what all share. Links are relative: the site works at any address. */
interface Page {
  readonly title: string;
  /** The way from the page to the site's folder: `./`, `../`, … */
  readonly root: string;
  readonly place: 'guides' | 'reference';
  /** The lists of pages: HTML, and what they are called. */
  readonly lists: string;
  readonly main: string;
  readonly outline?: string;
  /** Whether a service answers beside the site. */
  readonly isLocal: boolean;
  /** The same as Markdown. */
  readonly markdown?: string;
}

export const pageLink = (href: string, title: string, isCurrent: boolean): string =>
  `<a href="${href}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a>`;

/** A list of pages under a heading. */
export const pageList = (title: string, links: readonly string[]): string =>
  `<h2>${title}</h2><ul>${links.map((link) => `<li>${link}</li>`).join('')}</ul>`;

export const framed = ({ title, root, place, lists, main, outline, isLocal, markdown }: Page): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – Bakery Commerce</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}docs.css">
<script type="module" src="${root}docs.js"></script>
${markdown === undefined ? '' : `<link rel="alternate" type="text/markdown" href="${markdown}">`}
</head>
<body class="${place}">
<header class="top">
<a class="skip" href="#content">Skip to content</a>
<a class="brand" href="${root}">Bakery Commerce</a>
<button type="button" class="find" aria-keyshortcuts="/" hidden>Search <kbd>/</kbd></button>
<nav aria-label="Site">${pageLink(root, 'Guides', place === 'guides')}${pageLink(`${root}reference/`, 'Reference', place === 'reference')}${isLocal ? pageLink('/developers/', 'Developers', false) : ''}</nav>
</header>
<div class="columns">
<nav class="pages" aria-label="${place === 'guides' ? 'Guides' : 'Reference'}"><details><summary>${escapeHtml(title)}</summary>
${lists}
</details></nav>
<main id="content" tabindex="-1">
${main}
</main>
${outline === undefined ? '' : `<nav class="outline" aria-label="On this page"><h2>On this page</h2><ul>${outline}</ul></nav>`}
</div>
</body>
</html>
`;
