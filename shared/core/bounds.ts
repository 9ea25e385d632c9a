/** Maximum number of characters per kind of text, and of tags per record (decisions §3). */
export const bounds = { text: 255, email: 254, url: 2_048, markup: 20_000, tag: 64, tags: 50 } as const;
