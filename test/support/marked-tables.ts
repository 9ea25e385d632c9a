import { readFileSync } from 'node:fs';

/**
 * Generated parts of documents are between markers: `<!-- measured: name -->` and
 * `<!-- /measured -->`, or `generated`.
 */

const root = new URL('../../', import.meta.url);
export const pageFile = (page: string): URL => new URL(page, root);
export const readPage = (page: string): string => readFileSync(pageFile(page), 'utf8');

type Cells = readonly (string | number)[];
const rowOf = (cells: Cells): string => `| ${cells.join(' | ')} |`;
export const table = (head: readonly string[], rows: readonly Cells[]): string =>
  [rowOf(head), `|${'---|'.repeat(head.length)}`, ...rows.map(rowOf)].join('\n');

const marked = (name: string): RegExp => new RegExp(`(<!-- (measured|generated): ${name} -->\n)[\\s\\S]*?(\n<!-- /\\2 -->)`);

/** Returns the text between the markers of a part. Throws if the page has none. */
export const statedIn = (text: string, name: string): string => {
  const [all, opening = '', , closing = ''] = marked(name).exec(text) ?? [];
  if (all === undefined) throw new Error(`The page has no place for "${name}".`);
  return all.slice(opening.length, all.length - closing.length);
};

/** Returns the page with its parts replaced. */
export const withSections = (text: string, sections: Readonly<Record<string, string>>): string =>
  Object.entries(sections).reduce((page, [name, section]) => {
    statedIn(page, name);
    return page.replace(marked(name), (_, opening: string, __: string, closing: string) => opening + section + closing);
  }, text);
