/** The content of a page for a reader without scripts. */
const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'", '&amp;': '&' };

/** The text of an HTML fragment, as it is read and copied. */
export const textOf = (html: string): string =>
  html.replace(/<[^>]*>/g, '').replace(/&(?:lt|gt|quot|#x27|amp);/g, (one) => entities[one] ?? one);

/** Every element that has an anchor. */
export const anchorsOf = (html: string): ReadonlySet<string> => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));

export const linksOf = (html: string): readonly string[] =>
  [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, href = '']) => textOf(href));

/** The section of one operation, or the whole page if it has no operation. */
export const sectionOf = (html: string, operation: string): string =>
  html.split('<section ').find((part) => part.startsWith(`class="operation" id="${operation}"`)) ?? '';

export type Language = 'bash' | 'ts' | 'python';

/** A fragment's sample in a language. */
export const sampleOf = (html: string, language: Language): string => {
  const [, code = ''] = new RegExp(`<pre tabindex="0" class="${language}"[^>]*><code>(.*?)</code></pre>`, 's').exec(html) ?? [];
  return textOf(code);
};

/** The response that is printed with the sample. */
export const responseOf = (html: string): unknown => {
  const [, code = ''] = /<figcaption>Response, \d+<\/figcaption><pre[^>]*><code>(.*?)<\/code>/s.exec(html) ?? [];
  return JSON.parse(textOf(code));
};
