const attributes = String.raw`(?:[\t\n\f\r /]+|[^\t\n\f\r />][^\t\n\f\r />=]*(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\t\n\f\r "'>][^\t\n\f\r >]*)?)?)*`;
const tag = String.raw`</?[a-z][a-z0-9-]*(?=[\s/>])${attributes}(?:>|$)`;
const comment = '<!--(?:>|->|[^]*?(?:--!?>|$))';
const markupForms = new RegExp(`${tag}|${comment}|<[!?][^>]*(?:>|$)`, 'gi');

/**
 * Removes tags and comments the way an HTML parser recognizes them, and keeps their text (decisions
 * §3). A tag includes its quoted attribute values. If a tag never closes, everything up to the end
 * of the text is removed. Removal can join the halves of another tag (`<<b>b>`), so it repeats
 * until nothing changes. Each pass takes linear time, because every alternative of the pattern can
 * match up to the end of the text.
 */
export const stripHtml = (text: string): string => {
  const stripped = text.replace(markupForms, '');
  return stripped === text ? text : stripHtml(stripped);
};

/** Markup with values that are already escaped. */
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

/**
 * Template tag that builds markup. It escapes every part that is not `Html`, for text and for
 * quoted attributes. No other function makes markup from values.
 */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: strings.reduce((markup, text, i) => markup + text + render(parts[i]), ''),
});

/**
 * Marks text as markup: this project's styles, scripts or rendered Markdown. Never pass text from
 * outside.
 */
export const trusted = (markup: string): Html => ({ markup });

/** Joins the parts with `separator`, which is not escaped. */
export const joinHtml = (parts: readonly Part[], separator: string): Html => ({ markup: parts.map(render).join(separator) });
