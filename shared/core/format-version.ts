/**
 * Versions of a stored format: a queue message, or a schedule that later sends a queue message. A
 * reader accepts the current version and the previous version, so that a deployment loses no
 * waiting message (docs/upgrades.md).
 */
export interface FormatVersions {
  readonly written: number;
  /** Versions that a reader accepts. */
  readonly readable: readonly number[];
}

const parseObject = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};

/** Returns the fields of a message in a readable version. */
export const readVersioned = (text: string, { readable }: FormatVersions): Record<string, unknown> => {
  const message = parseObject(text);
  return message && readable.includes(message['v'] as number) ? message : {};
};

/** Whether a field of a message is an id. */
export const isId = (value: unknown): value is string => typeof value === 'string' && value !== '';

/**
 * Returns the reason why a message cannot be read, for the log. Apart from the version, the reason
 * contains nothing from the message.
 */
export const whyUnreadable = (text: string, { readable }: FormatVersions): string => {
  const message = parseObject(text);
  if (!message) return 'no JSON object';
  const { v } = message;
  if (typeof v !== 'number') return 'no version';
  if (readable.includes(v)) return 'members missing or wrong';
  const newest = Math.max(...readable);
  return v > newest ? `version ${v}, newer than ${newest}: deploy the version that wrote it, then redrive` : `version ${v}, no longer read`;
};
