import { renderMermaidSVG } from 'beautiful-mermaid';
import { type Html, html, trusted } from '../../shared/core/html.ts';

/**
 * Returns a Mermaid text as an inline SVG, with a text for readers who do not see it. Removes the
 * renderer's style sheet and `style` attribute, because the page's policy forbids both; `guide.css`
 * sets the same variables. Ids include the number of the drawing, because a page holds several.
 */
export const drawing = (text: string, label: string, number: number): Html => {
  const svg = renderMermaidSVG(text)
    .replace(/<style>[\s\S]*?<\/style>\n?/, '')
    .replace(/ style="[^"]*">/, html` role="img" aria-label="${label}">`.markup)
    .replace(/( id="|url\(#)/g, `$1drawing-${number}-`);
  return html`<div class="drawing" tabindex="0">${trusted(svg)}</div>\n`;
};
