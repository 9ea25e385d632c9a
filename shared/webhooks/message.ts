/** What a message on the delivery queue, and a schedule that becomes one, asks for: one attempt of one event at one endpoint. */
export interface DeliveryMessage {
  readonly account: string;
  readonly endpoint: string;
  /** The event id. */
  readonly event: string;
  /** Rises with each redelivery; messages of earlier runs are stale. */
  readonly run: number;
  /** Failures before this attempt. */
  readonly attempt: number;
  /** How often the message went back because the endpoint had no free slot; absent is 0. */
  readonly bounces?: number;
}

const version = 1;

/** The JSON body of a queue message; a reader that does not know its version leaves it to the dead-letter queue. */
export const encodeMessage = ({ account, endpoint, event, run, attempt, bounces }: DeliveryMessage): string =>
  JSON.stringify({ v: version, account, endpoint, event, run, attempt, ...(bounces ? { bounces } : {}) });

const isId = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const parseObject = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

/** Undefined for anything that is no message of this version. */
export const decodeMessage = (text: string): DeliveryMessage | undefined => {
  const { v, account, endpoint, event, run, attempt, bounces = 0 } = parseObject(text);
  if (v !== version || !isId(account) || !isId(endpoint) || !isId(event)) return undefined;
  if (!isCount(run) || !isCount(attempt) || !isCount(bounces)) return undefined;
  return { account, endpoint, event, run, attempt, ...(bounces > 0 ? { bounces } : {}) };
};
