/** Markup that needs no more escaping. */
export interface Html {
  readonly markup: string;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeText = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

type Part = Html | string | number | null | undefined | false | readonly Part[];

const render = (part: Part): string => {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part));
  return 'markup' in part ? part.markup : part.map(render).join('');
};

/** The one way to make markup: everything that is put into it is escaped, for text and for quoted attributes. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: strings.reduce((markup, text, i) => markup + text + render(parts[i]), ''),
});

/** Contents of style and script elements of our own; never anything that came from outside. */
export const trusted = (markup: string): Html => ({ markup });
