import { renderMermaidSVG } from 'beautiful-mermaid';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import csharp from 'highlight.js/lib/languages/csharp';
import go from 'highlight.js/lib/languages/go';
import http from 'highlight.js/lib/languages/http';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import typescript from 'highlight.js/lib/languages/typescript';
import { Marked, type Token, type Tokens, type TokensList } from 'marked';
import { type Html, html, joinHtml, trusted } from '../../shared/core/html.ts';

const grammars = { bash, csharp, go, http, java, json, php, python, ruby, ts: typescript };
for (const [name, grammar] of Object.entries(grammars)) hljs.registerLanguage(name, grammar);

/** Marks up tokens of code with classes that the stylesheet colors. */
export const highlight = (text: string, language: string): Html => {
  const name = language === 'js' ? 'ts' : language;
  return hljs.getLanguage(name) ? trusted(hljs.highlight(text, { language: name }).value) : html`${text}`;
};

/**
 * Returns a Mermaid text as an inline SVG, with a text for readers who do not see it. Removes the
 * renderer's style sheet and `style` attribute, because the page's policy forbids both; `guide.css`
 * sets the same variables. Ids include the name of the drawing, because a page holds several.
 */
export const drawing = (text: string, label: string, name: string | number): Html => {
  const svg = renderMermaidSVG(text, { padding: 4 })
    .replace(/<style>[\s\S]*?<\/style>\n?/, '')
    .replace(/ style="[^"]*">/, html` role="img" aria-label="${label}">`.markup)
    .replace(/( id="|url\(#)/g, `$1drawing-${name}-`);
  return html`<div class="drawing" tabindex="0">${trusted(svg)}</div>\n`;
};

/** One of several programs that do the same. */
interface Program {
  /** The choice that the page remembers: `bash`, `ts` or `python`. */
  readonly language: string;
  readonly name: string;
  /** Name of its file, if it has one. */
  readonly file?: string | undefined;
  readonly text: string;
  /** Its printed text. */
  readonly output?: string | undefined;
}

/**
 * The same program in several languages, with a choice. Without scripts, the page shows all of
 * them.
 */
export const tabs = (id: string, programs: readonly Program[]): Html => {
  const choices = programs.map(
    ({ language, name, file }, i) =>
      html`<label><input type="radio" name="language-${id}" value="${language}"${i === 0 ? ' checked' : ''}>${file ? html`<span>${name}: </span>${file}` : name}</label>`,
  );
  const panels = programs.map(({ language, name, text, output }) => {
    const program = html`<pre tabindex="0" class="${language}" aria-label="${name}"><code>${highlight(text, language)}</code></pre>`;
    const printed = html`<pre tabindex="0" class="${language} output" aria-label="Output of ${name}"><code>${output}</code></pre>`;
    return output === undefined ? program : html`${program}${printed}`;
  });
  return html`<fieldset class="code samples" data-copy><legend>Samples</legend><div class="bar"><div class="segments">${choices}</div></div>${panels}</fieldset>`;
};

/** Names of languages by info string. */
const tabLanguages: Readonly<Record<string, string>> = { bash: 'Shell', js: 'Node', ts: 'TypeScript', python: 'Python', json: 'JSON' };
/** Languages of programs that are joined. */
const joinedLanguages = new Set(['js', 'ts', 'python']);

/** Reads a program and its output. Returns undefined if none is there, else the index after it. */
const programAt = (tokens: readonly Token[], at: number): { readonly program: Program; readonly next: number } | undefined => {
  const skip = (index: number): number => (tokens[index]?.type === 'space' ? skip(index + 1) : index);
  const start = skip(at);
  const code = tokens[start] as Tokens.Code | undefined;
  // The info string has the language, the file's name and marks for the tests.
  const [info = '', file = ''] = code?.type === 'code' ? (code.lang ?? '').split(' ') : [];
  const name = tabLanguages[info];
  if (!code || !name || !joinedLanguages.has(info)) return undefined;
  const language = info === 'js' ? 'ts' : info;
  const after = tokens[skip(start + 1)] as Tokens.Code | undefined;
  const output = after?.type === 'code' && after.lang === 'text' ? after.text : undefined;
  const program = { language, name, file: file.includes('.') ? file : undefined, text: code.text, output };
  return { program, next: output === undefined ? start + 1 : skip(start + 1) + 1 };
};

/** Joins programs that follow each other in different languages into tabs. */
export const withTabs = (tokens: TokensList): TokensList => {
  const result: Token[] = [];
  for (let at = 0; at < tokens.length; ) {
    const programs: Program[] = [];
    let next = at;
    for (let found = programAt(tokens, next); found; found = programAt(tokens, next)) {
      const { program } = found;
      if (programs.some(({ language }) => language === program.language)) break;
      programs.push(program);
      next = found.next;
    }
    if (programs.length > 1) {
      const text = `${tabs(`guide-${at}`, programs).markup}\n`;
      result.push({ type: 'html', raw: text, text, block: true, pre: false });
      at = next;
    } else result.push(tokens[at++] as Token);
  }
  return Object.assign(result, { links: tokens.links });
};

const plain = (text: string): string => text.replaceAll('`', '');

/** Returns Markdown as plain text on one line, without drawings. */
export const textOf = (markdown: string): string =>
  markdown
    .replace(/^```mermaid[\s\S]*?^```/gm, '')
    .replace(/^```.*|^\|[-:| ]+\|$/gm, '')
    .replace(/!?\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/^(?:#+|\d+\.|[-*>]) (?:\[ \] )?/gm, '')
    .replace(/^\|(.*)\|$/gm, (_, row: string) => row.replaceAll('|', '·'))
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Makes the same anchors as GitHub, so that a link works in both places. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** Labels of what a request or a program returns. */
const printed: Readonly<Record<string, string>> = { http: 'Response', text: 'Output' };

/** A sample with its label. All but the output of programs has a copy button. */
export const figure = (text: string, language: string, label = tabLanguages[language] ?? printed[language] ?? language): Html =>
  html`<figure class="code ${language}"${language === 'text' ? '' : ' data-copy'}><figcaption>${label}</figcaption><pre tabindex="0"><code>${highlight(text, language)}</code></pre></figure>\n`;

/** A heading that links to itself. It cannot hold another link. */
export const heading = (depth: number, id: string, title: Html | string): Html =>
  html`<h${depth} id="${id}"><a href="#${id}">${title}</a></h${depth}>\n`;

/**
 * Returns the address on the site for a link of a guide: another guide's file, or an operation as
 * `../openapi.json#createExpense`. Returns undefined for a file that the site does not have.
 */
export type LinkTo = (href: string) => string | undefined;

const rendererOf = (linkTo: LinkTo): Marked => {
  let lastHeading = '';
  let drawings = 0;
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        lastHeading = plain(text);
        const inner = trusted(this.parser.parseInline(tokens));
        return (depth === 1 ? html`<h1>${inner}</h1>\n` : heading(depth, anchorOf(text), inner)).markup;
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
        // command at its spaces. Two columns have room for names.
        const isWide = header.length > 2;
        const broken = (name: string) => (isWide || name.length > 30 ? name.replaceAll(name.length > 20 ? /[_/]/g : '_', '$&<wbr>') : name);
        const inner = ({ tokens }: Tokens.TableCell) =>
          trusted(
            this.parser
              .parseInline(tokens)
              .replaceAll(/<code>[^<]+/g, broken)
              .replaceAll(/<code>(?=[^<]{16,})(?=[^<]* )/g, '<code class="command">'),
          );
        const cell = (column: Tokens.TableCell, i: number) => html`<td data-column="${plain(header[i]?.text ?? '')}">${inner(column)}</td>`;
        const head = header.map((column) => html`<th>${inner(column)}</th>`);
        const body = joinHtml(
          rows.map((row) => html`<tr>${row.map(cell)}</tr>`),
          '\n',
        );
        // On a phone, the cells of a wide row are stacked.
        const wide = isWide ? ' wide' : '';
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

/** Marks the words of inline code that a browser would break, for example after a hyphen. */
const withWholeWords = (markup: string): Html =>
  trusted(
    markup.replaceAll(
      /(?<!<pre[^>]*>)<code>([^<]+)<\/code>/g,
      (_, code: string) => `<code>${code.replaceAll(/\S*[-/?&=,]\S*/g, '<span class="word">$&</span>')}</code>`,
    ),
  );

/** Renders a text. */
export const renderMarkdown = (markdown: string, linkTo: LinkTo = (href) => href): Html => {
  const renderer = rendererOf(linkTo);
  return withWholeWords(renderer.parser(withTabs(renderer.lexer(markdown))));
};
export const renderInline = (markdown: string): Html => withWholeWords(rendererOf((href) => href).parseInline(markdown, { async: false }));
