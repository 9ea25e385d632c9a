const attributes = String.raw`(?:[\t\n\f\r /]+|[^\t\n\f\r />][^\t\n\f\r />=]*(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\t\n\f\r "'>][^\t\n\f\r >]*)?)?)*`;
const tag = String.raw`</?[a-z][a-z0-9-]*(?=[\s/>])${attributes}(?:>|$)`;
const comment = '<!--(?:>|->|[^]*?(?:--!?>|$))';
const markupForms = new RegExp(`${tag}|${comment}|<[!?][^>]*(?:>|$)`, 'gi');

/**
 * Removes tags and comments as an HTML parser reads them, and keeps their text (decisions §3). A tag extends over quoted attribute
 * values; one that never closes is removed to the end of the text. Removal can join the halves of another tag (`<<b>b>`), so it
 * repeats until nothing changes. Each pass is linear, because every alternative of the pattern can go on to the end of the text.
 */
export const stripHtml = (text: string): string => {
  const stripped = text.replace(markupForms, '');
  return stripped === text ? text : stripHtml(stripped);
};
