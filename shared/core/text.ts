/**
 * Limits of input: the maximum length of each kind of text in characters, and the maximum number of
 * tags per record (decisions §3).
 */
export const bounds = { text: 255, email: 254, url: 2_048, markup: 20_000, tag: 64, tags: 50 } as const;

/** Whether the text has at most this many characters (code points): UTF-16 units would count an emoji twice. */
export const hasAtMostCharacters = (text: string, max: number): boolean =>
  text.length <= max || (text.length <= 2 * max && [...text].length <= max);

/**
 * Returns the beginning of a text, at most this many characters (code points). Never cuts inside a
 * character, and replaces half of a surrogate pair, so that every other system accepts the result.
 * Use it for every text that leaves the process shortened.
 */
export const cutText = (text: string, max: number): string => {
  const wellFormed = text.toWellFormed();
  if (wellFormed.length <= max) return wellFormed;
  // No character is longer than two units, so the text before the cut is in the first 2 × most.
  return Array.from(wellFormed.slice(0, 2 * max))
    .slice(0, max)
    .join('');
};

/**
 * Returns the form in which two texts are equal in any case and Unicode form (decisions §3). The
 * second NFC is needed because a lower-case text may have a shorter form. Folding again changes
 * nothing.
 */
export const foldCase = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC');

const loopbackHost = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Returns a URL for browsers, parsed by the URL standard. Its `href` is absolute and ASCII, so
 * every browser, header and page reads the same address. Returns undefined for a URL with
 * credentials and for any scheme but HTTPS. `allowLoopback` also admits plain HTTP to this machine.
 */
export const browserUrl = (text: string, { allowLoopback = false } = {}): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (allowLoopback && url?.protocol === 'http:' && loopbackHost.test(url.hostname));
  return url && isSafe && url.username === '' && url.password === '' ? url : undefined;
};
