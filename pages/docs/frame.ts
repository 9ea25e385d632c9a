import { type Html, html } from '../../shared/core/html.ts';

/**
 * One page of the site in the common frame. Links are relative, so the site works at any address.
 */
export interface Page {
  readonly title: string;
  /** Description for search engines, in one sentence. */
  readonly description: string;
  /** Path from the page to the site's folder: `./`, `../`, … */
  readonly root: string;
  readonly place: 'start' | 'guides' | 'reference';
  /** The lists of pages, with their headings. */
  readonly lists: Html;
  readonly main: Html;
  readonly outline?: readonly Html[];
  /** True if a service serves the site. */
  readonly isLocal: boolean;
  /** Address of the page as Markdown. */
  readonly markdown?: string;
}

interface Neighbour {
  readonly title: string;
  /** Folder of the page, for example `webhooks/`. */
  readonly folder: string;
}

export const pageLink = (href: string, title: string, isCurrent: boolean): Html =>
  html`<a href="${href}"${isCurrent && html` aria-current="page"`}>${title}</a>`;

/** A list of pages under a heading. */
export const pageList = (title: string, links: readonly Html[]): Html =>
  html`<h2>${title}</h2><ul>${links.map((link) => html`<li>${link}</li>`)}</ul>`;

/** Returns links to the previous and the next page. Their folders are below the site's. */
export const neighbours = (root: string, ...[before, after]: readonly (Neighbour | undefined)[]): Html => {
  const link = (page: Neighbour | undefined, label: string, rel: string) =>
    page ? html`<a rel="${rel}" href="${root}${page.folder}"><span>${label}</span> ${page.title}</a>` : html`<span></span>`;
  return html`<nav class="neighbours" aria-label="Previous and next">${link(before, 'Previous', 'prev')}${link(after, 'Next', 'next')}</nav>`;
};

/** Returns the first sentences of Markdown as plain text on one line, up to 200 characters. */
export const plainText = (markdown: string): string => {
  const text = markdown
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return text.length <= 200 ? text : `${text.slice(0, 199).replace(/\s\S*$/, '')}…`;
};

export const framed = ({ title, description, root, place, lists, main, outline, isLocal, markdown }: Page): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Bakery Commerce</title>
<meta name="description" content="${description}">
<link rel="icon" type="image/svg+xml" href="${root}favicon.svg">
<link rel="stylesheet" href="${root}docs.css">
<script type="module" src="${root}docs.js"></script>
${markdown === undefined ? '' : html`<link rel="alternate" type="text/markdown" href="${markdown}">`}
</head>
<body class="${place}">
<header class="top">
<a class="skip" href="#content">Skip to content</a>
<a class="brand" href="${root}"><img src="${root}favicon.svg" alt="" width="24" height="24">Bakery Commerce</a>
<button type="button" class="find" aria-keyshortcuts="/" hidden>Search <kbd>/</kbd></button>
<nav aria-label="Site">${pageLink(`${root}getting-started/`, 'Guides', place === 'guides')}${pageLink(`${root}reference/`, 'Reference', place === 'reference')}${isLocal ? pageLink('/developers/', 'Developers', false) : ''}</nav>
</header>
<div class="columns">
<nav class="pages" aria-label="${place === 'reference' ? 'Reference' : 'Guides'}"><details><summary>${title}</summary>
${lists}
</details></nav>
<main id="content" tabindex="-1">
${main}
</main>
${outline === undefined ? '' : html`<nav class="outline" aria-label="On this page"><h2>On this page</h2><ul>${outline}</ul></nav>`}
</div>
</body>
</html>
`.markup;
