import { readFile } from 'node:fs/promises';
import { Marked, type Tokens } from 'marked';
import { guideLink } from './links.ts';

export interface Guide {
  /** Its address below `/docs/`; empty for the first page. */
  readonly slug: string;
  readonly file: string;
  readonly title: string;
}

const guide = (slug: string, file: string, title: string): Guide => ({ slug, file: `docs/guides/${file}`, title });

/** Every page of the guides in reading order, by the heading it stands under. */
export const guideGroups: readonly { readonly title: string; readonly guides: readonly Guide[] }[] = [
  {
    title: 'Start',
    guides: [
      guide('', 'getting-started.md', 'Getting started'),
      guide('authentication', 'authentication.md', 'Authentication'),
      guide('regions', 'regions.md', 'Regions and hosts'),
    ],
  },
  {
    title: 'Requests',
    guides: [
      guide('errors', 'errors.md', 'Errors'),
      guide('idempotency', 'idempotency.md', 'Idempotency'),
      guide('pagination', 'pagination.md', 'Pagination and syncing'),
      guide('rate-limits', 'rate-limits.md', 'Rate limits'),
    ],
  },
  {
    title: 'Build',
    guides: [
      guide('webhooks', 'webhooks.md', 'Webhooks'),
      guide('storefronts', 'storefronts.md', 'Storefronts and CORS'),
      guide('local-testing', 'local-testing.md', 'Testing locally'),
      guide('go-live', 'go-live.md', 'Go-live checklist'),
    ],
  },
];

export const guides: readonly Guide[] = guideGroups.flatMap((group) => group.guides);

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character);

const plain = (text: string): string => text.replaceAll('`', '');

/** As GitHub makes anchors of headings, so that a link works in both places. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const languages: Readonly<Record<string, string>> = {
  bash: 'Shell',
  js: 'Node',
  python: 'Python',
  json: 'JSON',
  http: 'Answer',
  text: 'Prints',
};

/** A sample's info string is its language, its file's name and what a test needs to know: `js receiver.mjs server`. */
const codeBlock = ({ text, lang = '' }: Tokens.Code): string => {
  const [language = '', file] = lang.split(' ');
  const label = file?.includes('.') ? file : (languages[language] ?? language);
  const setup = lang.split(' ').includes('setup') ? ' data-setup' : '';
  return `<figure class="code"><figcaption>${escapeHtml(label)}</figcaption><pre tabindex="0"${setup}><code>${escapeHtml(text)}</code></pre></figure>\n`;
};

const renderer = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      const inner = this.parser.parseInline(tokens);
      return depth === 1 ? `<h1>${inner}</h1>\n` : `<h${depth} id="${anchorOf(text)}">${inner}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      return `<a href="${escapeHtml(guideLink(href))}">${this.parser.parseInline(tokens)}</a>`;
    },
    code: codeBlock,
    table({ header, rows }) {
      // A long name in a narrow cell goes on after an underscore.
      const inner = ({ tokens }: Tokens.TableCell) =>
        this.parser.parseInline(tokens).replaceAll(/<code>[^<]+/g, (name) => name.replaceAll('_', '_<wbr>'));
      const cell = (column: Tokens.TableCell, i: number) =>
        `<td data-column="${escapeHtml(plain(header[i]?.text ?? ''))}">${inner(column)}</td>`;
      const head = header.map((column) => `<th>${inner(column)}</th>`).join('');
      const body = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('\n');
      // On a phone, rows of many columns stand below each other.
      const wide = header.length > 3 ? ' wide' : '';
      return `<div class="table${wide}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table></div>\n`;
    },
    listitem({ tokens, task, checked }) {
      const inner = this.parser.parse(tokens.filter(({ type }) => type !== 'checkbox'));
      return task
        ? `<li class="task"><label><input type="checkbox"${checked ? ' checked' : ''}> <span>${inner}</span></label></li>\n`
        : `<li>${inner}</li>\n`;
    },
  },
});

export interface Section {
  readonly id: string;
  readonly title: string;
}

export interface RenderedGuide {
  readonly html: string;
  readonly sections: readonly Section[];
}

export const renderGuide = async (markdown: string): Promise<RenderedGuide> => ({
  html: await renderer.parse(markdown),
  sections: [...markdown.replace(/^```.*?^```/gms, '').matchAll(/^## (.+)$/gm)].map(([, title = '']) => ({
    id: anchorOf(title),
    title: plain(title),
  })),
});

export const readGuide = ({ file }: Guide): Promise<string> => readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
