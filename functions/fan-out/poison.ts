/** A stream record that says nothing any version of this code understands. */
export class UnreadableRecord extends Error {
  override readonly name = 'UnreadableRecord';
}

/** Answers of AWS that stay the same however often the same call is made. */
const finalNames = new Set(['ValidationException', 'ItemCollectionSizeLimitExceededException']);

/**
 * Whether no retry can help: the record cannot be read, or AWS refuses what is made of it. Everything else, outages,
 * throttling and lost permissions included, may pass, and the stream keeps the record for a day.
 */
export const isPoison = (error: unknown): boolean =>
  error instanceof UnreadableRecord || (error instanceof Error && finalNames.has(error.name));
