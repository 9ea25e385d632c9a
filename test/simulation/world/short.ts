/** Shortens the ids in a text to their distinct parts. */
export const short = (text: string): string => text.replace(/\b([a-z]{2,4}_)[0-9a-z]{22}([0-9a-z]{4})\b/g, '$1$2');
