/**
 * Limits of input: the maximum length of each kind of text in characters, and the maximum number of
 * tags per record (decisions §3).
 */
export const bounds = { text: 255, email: 254, url: 2_048, markup: 20_000, tag: 64, tags: 50 } as const;
