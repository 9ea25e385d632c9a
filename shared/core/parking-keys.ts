/** Prefix of the keys of stream records that fan-out parks. */
const ofStream = 'stream/';
/**
 * Prefix of the keys that Lambda gives to invocations that it parks
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html).
 */
const ofLambda = 'aws/lambda/';
/** Prefix of the keys of a check. Nothing waits there for an operator. */
const ofCheck = 'check/';

/** S3 sends a notice of each object under these prefixes, so that an alarm fires. */
export const noticedPrefixes = [ofStream, ofLambda] as const;

export const isNoticed = (key: string): boolean => noticedPrefixes.some((prefix) => key.startsWith(prefix));

/** Source of the unreadable record with which a check proves that fan-out can park. */
const checkSource = 'bakery:check';

interface StreamRecord {
  readonly eventID?: string | undefined;
  readonly eventSource?: string | undefined;
  readonly dynamodb?: { readonly SequenceNumber?: string | undefined } | undefined;
}

/** Returns the record of a check. `mark` identifies the check. */
export const checkRecord = (mark: string): StreamRecord => ({ eventID: mark, eventSource: checkSource });

/** Whether the record comes from a check and not from the change stream. */
export const isCheckRecord = ({ eventSource }: StreamRecord): boolean => eventSource === checkSource;

/** Returns the key under which fan-out parks a record. */
export const parkingKey = (record: StreamRecord): string =>
  `${isCheckRecord(record) ? ofCheck : ofStream}${record.eventID ?? record.dynamodb?.SequenceNumber ?? ''}.json`;
