import * as v from 'valibot';

export const defaultLimit = 50;
export const maxLimit = 100;

/** A fraction is cut off; the default for what is no number in decimal notation: `0x10` is text, though JavaScript reads it as 16. */
const readLimit = (text: string): number =>
  /^[+-]?\d+(\.\d*)?(e\d+)?$/i.test(text) ? Math.min(maxLimit, Math.max(1, Math.trunc(Number(text)))) : defaultLimit;

/** `limit` and `cursor` of every list (§ Endpoints, General rules): a limit is never an error, a cursor that does not decode always is. */
export const pageParameters = {
  limit: v.pipe(
    v.optional(v.string(), ''),
    v.metadata({ type: 'integer', minimum: 1, maximum: maxLimit, default: defaultLimit }),
    v.transform((text) => readLimit(text.trim())),
  ),
  cursor: v.optional(v.string()),
};
