import * as v from 'valibot';

export const defaultLimit = 50;
export const maxLimit = 100;

/** `limit` and `cursor` of every list (§ Endpoints, General rules): a limit is never an error, a cursor that does not decode always is. */
export const pageParameters = {
  limit: v.pipe(
    v.optional(v.string(), ''),
    v.transform((text) => (text.trim() === '' ? Number.NaN : Number(text))),
    v.metadata({ type: 'integer', minimum: 1, maximum: maxLimit, default: defaultLimit }),
    v.transform((limit) => (Number.isFinite(limit) ? Math.min(maxLimit, Math.max(1, Math.trunc(limit))) : defaultLimit)),
  ),
  cursor: v.optional(v.string()),
};
