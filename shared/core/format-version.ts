/**
 * Versions of a format that waits outside a function: of queue messages, and of schedules that
 * become one. A reader accepts the written version and the one before it, so that a deployment
 * loses no waiting message (docs/upgrades.md).
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
export const openFormat = (text: string, { readable }: FormatVersions): Record<string, unknown> => {
  const message = parseObject(text);
  return message && readable.includes(message['v'] as number) ? message : {};
};

/**
 * Returns for the log why a message cannot be read. The text holds nothing of the message but its
 * version.
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
