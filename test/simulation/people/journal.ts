import type { Seen } from '../world/region.ts';
import type { Exchange } from '../world/traffic.ts';

/** One try of a request, and its response as the sender saw it. */
export interface Try {
  /** The requested kind. It differs from the intent's if an Idempotency-Key is reused. */
  readonly kind: Intent['kind'];
  readonly body: unknown;
  readonly sentMs: number;
  readonly seenMs: number;
  readonly seen: Seen;
}

/** A record that a person wants to create once. It contains the marker. */
export interface Intent {
  readonly kind: 'expense' | 'order' | 'customer' | 'session';
  readonly account: string;
  readonly marker: string;
  readonly idempotencyKey: string | undefined;
  readonly body: unknown;
  readonly tries: Try[];
}

/** The duration of something, in virtual milliseconds since the epoch. */
export interface Span {
  readonly begunMs: number;
  /** Infinite if the response may still come. */
  readonly endedMs: number;
}

/** A value of a record's field that a person set or may have set. */
export interface Change extends Span {
  readonly account: string;
  /** The record's id. */
  readonly subject: string;
  readonly field: string;
  readonly value: unknown;
  /** Whether the change was acknowledged. */
  readonly acknowledged: boolean;
}

/** A value of a record's field that a person read, or a fact that implies one of several values. */
export interface Sight extends Span {
  readonly subject: string;
  readonly field: string;
  /** The read as a sentence about the record: `was read with notes "…"`. */
  readonly saw: string;
  readonly agrees: (value: unknown) => boolean;
}

/**
 * A requested erasure of a customer or an account, with the time at which it was acknowledged as
 * complete.
 */
export interface ErasureAction {
  readonly account: string;
  readonly customer?: string;
  readonly begunMs: number;
  doneMs: number | undefined;
}

/** A response, and when its request started. */
export interface ReceivedText {
  readonly what: string;
  readonly text: string;
  readonly begunMs: number;
  /** The most that its data may lag, in milliseconds. */
  readonly lagMs: number;
}

/** An account's export with all its pages. */
export interface ExportAction extends Span {
  readonly account: string;
  readonly pages: readonly Readonly<Record<string, unknown>>[];
}

/** A result of `account.usage`. */
export interface UsageSight extends Span {
  readonly account: string;
  readonly result: Readonly<Record<string, unknown>>;
}

/** A result of `delivery.find` for an event. */
export interface FindSight extends UsageSight {
  readonly event: string;
}

/** A requested change of an endpoint. If its outcome is unknown, it may happen until `endedMs`. */
export interface EndpointAction extends Span {
  readonly account: string;
  /** Undefined for a registration that was not acknowledged. */
  readonly id: string | undefined;
  readonly kind: 'create' | 'remove' | 'rotate' | 'enable' | 'disable' | 'move';
  readonly outcome: 'done' | 'refused' | 'unknown';
  /** Status of an error. */
  readonly status: number | undefined;
  /** URL of `create` and `move`. */
  readonly url: string | undefined;
  /** The secret in the response to `create` or `rotate`. */
  readonly secret: string | undefined;
}

/** A requested test of an endpoint. */
export interface TestAction extends Span {
  readonly account: string;
  readonly outcome: 'passed' | 'limited' | 'other';
  /** The most times that it may have been counted. */
  readonly counts: number;
}

/** A call that gives a customer an email, or searches for the customer with one. */
export interface EmailAction extends Span {
  readonly account: string;
  /** The customer who should get the email; undefined for a new one and for a search. */
  readonly customer?: string;
  readonly email: string;
  readonly outcome: 'taken' | 'searched' | 'other';
  /** The customers that a search showed. */
  readonly found?: readonly string[];
}

/** Equal requests with one Idempotency-Key and one type of API key. */
export interface Crossing {
  readonly account: string;
  readonly idempotencyKey: string;
  readonly type: 'secret' | 'publishable';
  readonly tries: Seen[];
}

/** The amounts of a payment in the request, and its id from the response. */
export interface PaymentAction {
  readonly id: string;
  readonly amount: number;
  readonly tip: number;
  readonly fee: number;
}

/** A payment status that a call sent for an order. */
export interface SentStatus extends Span {
  readonly order: string;
  readonly status: string;
}

/** A list that a person read from its first page to its last. */
export interface Walk extends Span {
  readonly account: string;
  readonly list: string;
  /** The endpoint of the deliveries. */
  readonly subject: string | undefined;
  readonly limit: number;
  readonly pages: readonly { readonly ids: readonly string[]; readonly hasMore: boolean; readonly cursor: string | null }[];
}

/** A shopper who wanted to pay after the faults had ended, and what the page showed. */
export interface Purchase {
  readonly session: string;
  readonly paid: boolean;
  readonly seen: readonly string[];
}

/** Requests of one minute that share a bucket and that no fault hit. */
export interface Rush {
  readonly bucket: string;
  readonly limit: number;
  readonly seen: Seen[];
}

/** A refund that was asked for when this much of its payment was left, and whether it was made. */
export interface RefundEdge {
  readonly payment: string;
  readonly amount: number;
  readonly remaining: number;
  readonly isMade: boolean;
}

/** Records of all people's actions, for the invariants. */
export interface Journal {
  readonly intents: Intent[];
  /** Every request of the API, in order of its end. */
  readonly traffic: Exchange[];
  /** Wrong responses that no fault excuses: request and response. */
  readonly outrages: string[];
  /** Ids of records that were changed or deleted after their creation. */
  readonly touched: Set<string>;
  /** Sessions that redirected the shopper to the shop's thank-you page. */
  readonly thanked: string[];
  /** The amount on the button of a session's page. */
  readonly priced: { readonly session: string; readonly text: string }[];
  /** Acknowledged changes of stock. */
  readonly stocked: { readonly id: string; readonly delta: number }[];
  readonly changes: Change[];
  readonly sights: Sight[];
  readonly erasures: ErasureAction[];
  readonly responses: ReceivedText[];
  readonly exports: ExportAction[];
  readonly usages: UsageSight[];
  readonly findings: FindSight[];
  /** Lists of notices, with all their pages. */
  readonly noticeLists: ExportAction[];
  readonly endpoints: EndpointAction[];
  readonly tests: TestAction[];
  readonly crossings: Crossing[];
  readonly emails: EmailAction[];
  /**
   * Calls that asked the gateway to give money back, by payment. Repetitions with the same token
   * count once.
   */
  readonly refundCalls: Map<string, number>;
  readonly payments: PaymentAction[];
  readonly rushes: Rush[];
  readonly edges: RefundEdge[];
  readonly walks: Walk[];
  readonly sentStatuses: SentStatus[];
  /**
   * Refunds that were only recorded (`gateway: false`), by payment: how many calls may have done so.
   */
  readonly refundsByHand: Map<string, number>;
  readonly purchases: Purchase[];
  /** Owners of keys, by value. */
  readonly keys: Map<string, { readonly id: string; readonly account: string }>;
  /** Names and numbers of all people's actions, in order. */
  readonly actions: string[];
  /** Actions that this replay leaves out. */
  readonly leftOut: ReadonlySet<string>;
}

export const newJournal = (leftOut: ReadonlySet<string> = new Set()): Journal => ({
  ...{ intents: [], traffic: [], outrages: [], touched: new Set(), thanked: [], priced: [], stocked: [], actions: [], leftOut },
  ...{ changes: [], sights: [], erasures: [], responses: [], exports: [], keys: new Map() },
  ...{ usages: [], findings: [], noticeLists: [] },
  ...{ endpoints: [], tests: [], crossings: [], emails: [], refundCalls: new Map(), payments: [], rushes: [], edges: [] },
  ...{ walks: [], purchases: [], sentStatuses: [], refundsByHand: new Map() },
});

const recordIn = (text: string): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return { id: `what cannot be read, ${text}` };
  }
};

/** Returns the record that a try created, from its response; undefined without a success. */
export const madeRecord = ({ seen: { response } }: Pick<Try, 'seen'>): Readonly<Record<string, unknown>> | undefined =>
  response && response.status >= 200 && response.status <= 299 ? recordIn(response.text) : undefined;

/** Returns the id of the record that a try created. */
export const madeBy = (one: Pick<Try, 'seen'>): string | undefined => madeRecord(one)?.['id'] as string | undefined;

/** Returns the acknowledged ids of an account's records. */
export const knownIds = ({ intents }: Journal, kind: Intent['kind'], account: string): readonly string[] => [
  ...new Set(
    intents.flatMap((one) =>
      one.account === account ? one.tries.flatMap((each) => (each.kind === kind ? (madeBy(each) ?? []) : [])) : [],
    ),
  ),
];

type Fields = Readonly<Record<string, unknown>>;

/** Records that fields were set, or, without an acknowledgement, that they may have been set. */
export const remember = (
  { changes }: Journal,
  { account, subject }: Pick<Change, 'account' | 'subject'>,
  fields: Fields,
  { begunMs, endedMs, acknowledged }: Pick<Change, 'begunMs' | 'endedMs' | 'acknowledged'>,
): void => {
  for (const [field, value] of Object.entries(fields)) changes.push({ account, subject, field, value, begunMs, endedMs, acknowledged });
};

/** Records a read of a record, without fields that no action sets. */
export const behold = ({ sights }: Journal, subject: string, fields: Fields, { begunMs, endedMs }: Span): void => {
  for (const [field, value] of Object.entries(fields)) {
    const text = JSON.stringify(value);
    sights.push({
      subject,
      field,
      saw: `was read with ${field} ${text}`,
      agrees: (one) => JSON.stringify(one) === text,
      begunMs,
      endedMs,
    });
  }
};

/** Returns the ids of an account's customers: those that were created, and those of orders. */
export const knownCustomers = (journal: Journal, account: string): readonly string[] => {
  const tries = journal.intents.filter((one) => one.account === account).flatMap((one) => one.tries);
  const buyers = tries
    .filter(({ kind }) => kind === 'order')
    .flatMap((one) => (madeRecord(one)?.['customer_id'] as string | null | undefined) ?? []);
  return [...new Set([...knownIds(journal, 'customer', account), ...buyers])];
};
