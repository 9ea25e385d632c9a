import { Marked, type Tokens } from 'marked';
import { type Html, html, joined, trusted } from '../../shared/core/html.ts';
import { drawing } from './drawing.ts';
import { highlight } from './highlight.ts';
import { withTabs } from './tabs.ts';

const plain = (text: string): string => text.replaceAll('`', '');

/** Makes the same anchors as GitHub, so that a link works in both places. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const languages: Readonly<Record<string, string>> = { bash: 'Shell', js: 'Node', ts: 'TypeScript', python: 'Python', json: 'JSON' };
/** Labels of output, which has no copy button. */
const printed: Readonly<Record<string, string>> = { http: 'Response', text: 'Output' };

export const figure = (text: string, language: string, label = languages[language] ?? printed[language] ?? language): Html => {
  const isTyped = language !== 'json' && !printed[language];
  return html`<figure class="code"${isTyped ? ' data-copy' : ''}><figcaption>${label}</figcaption><pre tabindex="0"><code>${highlight(text, language)}</code></pre></figure>\n`;
};

/**
 * Returns the address on the site for a link of a guide: another guide's file, or an operation as
 * `../openapi.json#createExpense`. Returns undefined for a file that the site does not have.
 */
export type LinkTo = (href: string) => string | undefined;

const rendererOf = (linkTo: LinkTo, headingOffset: number): Marked => {
  let lastHeading = '';
  let drawings = 0;
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        lastHeading = plain(text);
        const level = depth + headingOffset;
        const inner = trusted(this.parser.parseInline(tokens));
        return (level === 1 ? html`<h1>${inner}</h1>\n` : html`<h${level} id="${anchorOf(text)}">${inner}</h${level}>\n`).markup;
      },
      link({ href, tokens }) {
        const [address, inner] = [linkTo(href), trusted(this.parser.parseInline(tokens))];
        return address === undefined ? inner.markup : html`<a href="${address}">${inner}</a>`.markup;
      },
      image({ href, text }) {
        return html`<img src="${linkTo(href) ?? href}" alt="${text}">`.markup;
      },
      // A sample's info string has its language, its file name and marks for the tests: `js
      // receiver.mjs server`.
      code({ text, lang = '' }) {
        const [language = '', file] = lang.split(' ');
        if (language === 'mermaid') return drawing(text, `Drawing: ${lastHeading}`, ++drawings).markup;
        return figure(text, language, file?.includes('.') ? file : undefined).markup;
      },
      table({ header, rows }) {
        // In a narrow cell, a name breaks after an underscore, a long path after a slash, and a
        // command at its spaces.
        const inner = ({ tokens }: Tokens.TableCell) =>
          trusted(
            this.parser
              .parseInline(tokens)
              .replaceAll(/<code>[^<]+/g, (name) => name.replaceAll(name.length > 20 ? /[_/]/g : '_', '$&<wbr>'))
              .replaceAll(/<code>(?=[^<]{16,})(?=[^<]* )/g, '<code class="command">'),
          );
        const cell = (column: Tokens.TableCell, i: number) => html`<td data-column="${plain(header[i]?.text ?? '')}">${inner(column)}</td>`;
        const head = header.map((column) => html`<th>${inner(column)}</th>`);
        const body = joined(
          rows.map((row) => html`<tr>${row.map(cell)}</tr>`),
          '\n',
        );
        // On a phone, the cells of a wide row are stacked.
        const wide = header.length > 2 ? ' wide' : '';
        return html`<div class="table${wide}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table></div>\n`
          .markup;
      },
      listitem({ tokens, task, checked }) {
        const inner = trusted(this.parser.parse(tokens.filter(({ type }) => type !== 'checkbox')));
        const entry = task
          ? html`<li class="task"><label><input type="checkbox"${checked ? ' checked' : ''}> <span>${inner}</span></label></li>\n`
          : html`<li>${inner}</li>\n`;
        return entry.markup;
      },
    },
  });
};

interface Section {
  readonly id: string;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

/** Splits a text at its headings of one depth. The part before the first heading has no id. */
export const sectionsOf = (markdown: string, depth: 1 | 2): readonly Section[] => {
  const sections: { id: string; title: string; text: string }[] = [{ id: '', title: '', text: '' }];
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const title = isCode ? undefined : new RegExp(`^#{${depth}} (.+)$`).exec(line)?.[1];
    if (title !== undefined) sections.push({ id: anchorOf(title), title: plain(title), text: '' });
    else (sections.at(-1) as { text: string }).text += `${line}\n`;
  }
  return sections;
};

/** Renders a text. `headingOffset` is added to the level of each heading, to fit into the page. */
export const renderMarkdown = (markdown: string, linkTo: LinkTo = (href) => href, headingOffset = 0): Html => {
  const renderer = rendererOf(linkTo, headingOffset);
  return trusted(renderer.parser(withTabs(renderer.lexer(markdown))));
};
export const renderInline = (markdown: string): Html => trusted(rendererOf((href) => href, 0).parseInline(markdown, { async: false }));
