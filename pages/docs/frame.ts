import { type Html, html, trusted } from '../../shared/core/html.ts';
import { textOf } from './markdown.ts';

/**
 * One page of the site in the common frame. Links are relative, so the site works at any address.
 */
export interface Page {
  readonly title: string;
  /** Description for search engines, in one sentence. */
  readonly description: string;
  /** Path from the page to the site's folder: `./`, `../`, … */
  readonly root: string;
  readonly area: 'start' | 'guides' | 'reference';
  /** Heading of the list that holds the page. The start page has none. */
  readonly section?: string;
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

const icons = {
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM20 20l-4-4',
  play: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM10 8.5v7l5.5-3.5z',
  braces: 'M9 4H8a2 2 0 0 0-2 2v3.5L4 12l2 2.5V18a2 2 0 0 0 2 2h1M15 4h1a2 2 0 0 1 2 2v3.5l2 2.5-2 2.5V18a2 2 0 0 1-2 2h-1',
  receive: 'M4 12h11M11 7.5l4.5 4.5-4.5 4.5M20 5v14',
  shop: 'M4 10v10h16V10M3 10l2-6h14l2 6zM10 20v-5h4v5',
} as const;
export type Icon = keyof typeof icons;

/** A drawing of 20 by 20 pixels in the color of the text. Screen readers skip it. */
export const icon = (name: Icon): Html =>
  trusted(
    `<svg class="icon" viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${icons[name]}"/></svg>`,
  );

export const pageLink = (href: string, title: string, isCurrent: boolean): Html =>
  html`<a href="${href}"${isCurrent && html` aria-current="page"`}>${title}</a>`;

const list = (links: readonly Html[]): Html => html`<ul>${links.map((link) => html`<li>${link}</li>`)}</ul>`;

/** A list of pages under a heading. */
export const pageList = (title: string, links: readonly Html[]): Html => html`<h2>${title}</h2>${list(links)}`;

/** A part of such a list that opens and closes. */
export const pageGroup = (title: string, links: readonly Html[], isOpen: boolean): Html =>
  html`<details${isOpen && html` open`}><summary>${title}</summary>${list(links)}</details>`;

/** Returns links to the previous and the next page. Their folders are below the site's. */
export const neighbours = (root: string, ...[before, after]: readonly (Neighbour | undefined)[]): Html => {
  const link = (page: Neighbour | undefined, label: string, rel: string) =>
    page ? html`<a rel="${rel}" href="${root}${page.folder}"><span>${label}</span> ${page.title}</a>` : '';
  return html`<nav class="neighbours" aria-label="Previous and next">${link(before, 'Previous', 'prev')}${link(after, 'Next', 'next')}</nav>`;
};

/** Returns the first sentences of Markdown as plain text on one line, up to 200 characters. */
export const plainText = (markdown: string): string => {
  const text = textOf(markdown);
  return text.length <= 200 ? text : `${text.slice(0, 199).replace(/\s\S*$/, '')}…`;
};

/** The line above a page's heading. */
const above = ({ section, markdown }: Page): Html | '' =>
  section === undefined
    ? ''
    : html`<div class="above"><span>${section}</span>${markdown === undefined ? '' : html`<a href="${markdown}">View as Markdown</a>`}</div>`;

export const framed = (page: Page): string => {
  const { title, description, root, area, section, lists, main, outline, isLocal, markdown } = page;
  return html`<!doctype html>
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
<body class="${area}">
<header class="top">
<a class="skip" href="#content">Skip to content</a>
<a class="brand" href="${root}"><img src="${root}favicon.svg" alt="" width="26" height="26">Bakery Commerce <span>Docs</span></a>
<button type="button" class="find" aria-label="Search the docs" aria-keyshortcuts="/ Control+K Meta+K" hidden>${icon('search')}<span>Search the docs</span> <kbd>/</kbd></button>
<nav aria-label="Site">${pageLink(`${root}getting-started/`, 'Guides', area === 'guides')}${pageLink(`${root}reference/`, 'Reference', area === 'reference')}${isLocal ? pageLink('/developers/', 'Developers', false) : ''}</nav>
</header>
<div class="columns">
<nav class="pages" aria-label="${area === 'reference' ? 'Reference' : 'Guides'}"><details><summary>${section === undefined ? 'All guides' : html`<span>${section}</span> ${title}`}</summary>
${lists}
</details></nav>
<main id="content" tabindex="-1">
${above(page)}
${main}
</main>
${outline === undefined ? '' : html`<nav class="outline" aria-label="On this page"><h2>On this page</h2><ul>${outline}</ul></nav>`}
</div>
</body>
</html>
`.markup;
};
