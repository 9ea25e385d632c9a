import { renderMermaidSVG } from 'beautiful-mermaid';
import { type Html, html, trusted } from '../../shared/core/html.ts';

/**
 * A Mermaid text as an SVG in the page, with the words that describe it to readers who do not see it. The renderer's own style sheet
 * and `style` attribute go: the page's policy forbids both, and `guide.css` sets the same variables. Ids get the number of the drawing,
 * because a page holds several.
 */
export const drawing = (text: string, label: string, number: number): Html => {
  const svg = renderMermaidSVG(text)
    .replace(/<style>[\s\S]*?<\/style>\n?/, '')
    .replace(/ style="[^"]*">/, html` role="img" aria-label="${label}">`.markup)
    .replace(/( id="|url\(#)/g, `$1drawing-${number}-`);
  return html`<div class="drawing" tabindex="0">${trusted(svg)}</div>\n`;
};
