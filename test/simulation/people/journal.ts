import type { Seen } from '../world/region.ts';
import type { Exchange } from '../world/traffic.ts';

/** One try of a request, and what its sender saw of it. */
export interface Try {
  /** The requested kind; differs from the intent's if a key is reused. */
  readonly kind: Intent['kind'];
  readonly body: unknown;
  readonly sentMs: number;
  readonly seenMs: number;
  readonly seen: Seen;
}

/** A record that a person wants to create, once; its marker is in the record. */
export interface Intent {
  readonly kind: 'expense' | 'order' | 'customer' | 'session';
  readonly account: string;
  readonly marker: string;
  readonly idempotencyKey: string | undefined;
  readonly body: unknown;
  readonly tries: Try[];
}

/** From when to when something was under way, in virtual milliseconds. */
export interface Span {
  readonly begunMs: number;
  /** Infinite if the response may still come. */
  readonly endedMs: number;
}

/** A field of a record that a person set, or may have set. */
export interface Change extends Span {
  readonly account: string;
  /** The record's id. */
  readonly subject: string;
  readonly member: string;
  readonly value: unknown;
  /** Whether the change was acknowledged. */
  readonly acknowledged: boolean;
}

/** A field of a record as a person read it, or a fact that implies one of some values. */
export interface Sight extends Span {
  readonly subject: string;
  readonly member: string;
  /** The read as a sentence about the record: `was read with notes "…"`. */
  readonly saw: string;
  readonly agrees: (value: unknown) => boolean;
}

/**
 * A requested erasure of a customer or of the whole account; done once it was acknowledged as
 * complete.
 */
export interface ErasureAction {
  readonly account: string;
  readonly customer?: string;
  readonly begunMs: number;
  doneMs: number | undefined;
}

/** A response, and when its request began. */
export interface Heard {
  readonly what: string;
  readonly text: string;
  readonly begunMs: number;
  /** How far what it shows may lie behind. */
  readonly lagMs: number;
}

/** An account's export, page after page. */
export interface ExportAction extends Span {
  readonly account: string;
  readonly pages: readonly Readonly<Record<string, unknown>>[];
}

/**
 * A change of an endpoint that a merchant asked for; of an unknown outcome it may still come until
 * `endedMs`.
 */
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
  /** As the response to `create` or `rotate` gave it. */
  readonly secret: string | undefined;
}

/** A requested test of an endpoint. */
export interface TestAction extends Span {
  readonly account: string;
  readonly outcome: 'passed' | 'limited' | 'other';
  /** How often it may have been counted. */
  readonly counts: number;
}

/** Requests under one Idempotency-Key with one type of API key; always the same request. */
export interface Crossing {
  readonly account: string;
  readonly idempotencyKey: string;
  readonly type: 'secret' | 'publishable';
  readonly tries: Seen[];
}

/** The amounts of a payment as its caller sent them, with the id that the response gave it. */
export interface PaymentAction {
  readonly id: string;
  readonly amount: number;
  readonly tip: number;
  readonly fee: number;
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

/** A shopper who wanted to pay when nothing went wrong any more, and what the page showed. */
export interface Purchase {
  readonly session: string;
  readonly paid: boolean;
  readonly seen: readonly string[];
}

/** Records of all people's actions, which the invariants use. */
export interface Journal {
  readonly intents: Intent[];
  /** Every request of the API, in the order in which they ended. */
  readonly traffic: Exchange[];
  /** Answers that no fault excuses: what was sent, and what came. */
  readonly outrages: string[];
  /** Ids of records that were changed or deleted after they were made. */
  readonly touched: Set<string>;
  /** Sessions that redirected the shopper to the shop's thank-you page. */
  readonly thanked: string[];
  /** Acknowledged changes of stock, by inventory item. */
  readonly stocked: { readonly id: string; readonly delta: number }[];
  readonly changes: Change[];
  readonly sights: Sight[];
  readonly erasures: ErasureAction[];
  readonly heard: Heard[];
  readonly exports: ExportAction[];
  readonly endpoints: EndpointAction[];
  readonly tests: TestAction[];
  readonly crossings: Crossing[];
  readonly payments: PaymentAction[];
  readonly walks: Walk[];
  readonly purchases: Purchase[];
  /** Owners of keys, by value. */
  readonly keys: Map<string, { readonly id: string; readonly account: string }>;
  /** Actions of all people, by name and number, in order. */
  readonly actions: string[];
  /** Actions that are not done in this replay. */
  readonly leftOut: ReadonlySet<string>;
}

export const newJournal = (leftOut: ReadonlySet<string> = new Set()): Journal => ({
  ...{ intents: [], traffic: [], outrages: [], touched: new Set(), thanked: [], stocked: [], actions: [], leftOut },
  ...{ changes: [], sights: [], erasures: [], heard: [], exports: [], keys: new Map() },
  ...{ endpoints: [], tests: [], crossings: [], payments: [], walks: [], purchases: [] },
});

const recordIn = (text: string): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return { id: `what cannot be read, ${text}` };
  }
};

/** Returns the record that a try made, as acknowledged; undefined if no response says so. */
export const madeRecord = ({ seen: { answer } }: Pick<Try, 'seen'>): Readonly<Record<string, unknown>> | undefined =>
  answer && answer.status >= 200 && answer.status <= 299 ? recordIn(answer.text) : undefined;

/** The id of what a try made. */
export const madeBy = (one: Pick<Try, 'seen'>): string | undefined => madeRecord(one)?.['id'] as string | undefined;

/** Returns the known ids of an account's records. */
export const knownIds = ({ intents }: Journal, kind: Intent['kind'], account: string): readonly string[] => [
  ...new Set(
    intents.flatMap((one) =>
      one.account === account ? one.tries.flatMap((each) => (each.kind === kind ? (madeBy(each) ?? []) : [])) : [],
    ),
  ),
];

type Members = Readonly<Record<string, unknown>>;

/**
 * Remembers members that were set: for good known where acknowledged, else that they may have been.
 */
export const remember = (
  { changes }: Journal,
  { account, subject }: Pick<Change, 'account' | 'subject'>,
  members: Members,
  { begunMs, endedMs, acknowledged }: Pick<Change, 'begunMs' | 'endedMs' | 'acknowledged'>,
): void => {
  for (const [member, value] of Object.entries(members)) changes.push({ account, subject, member, value, begunMs, endedMs, acknowledged });
};

/** Records how a record was read, without fields that are never set. */
export const behold = ({ sights }: Journal, subject: string, members: Members, { begunMs, endedMs }: Span): void => {
  for (const [member, value] of Object.entries(members)) {
    const text = JSON.stringify(value);
    sights.push({
      subject,
      member,
      saw: `was read with ${member} ${text}`,
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
