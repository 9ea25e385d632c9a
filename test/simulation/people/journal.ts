import type { Seen } from '../world/region.ts';
import type { Exchange } from '../world/traffic.ts';

/** One try of a request, and what its sender saw of it. */
export interface Try {
  /** What it asked to be made; another than was intended where somebody uses a key again for it. */
  readonly kind: Intent['kind'];
  readonly body: unknown;
  readonly sentMs: number;
  readonly seenMs: number;
  readonly seen: Seen;
}

/** Something that somebody wanted to be made, once; the marker is in what is made. */
export interface Intent {
  readonly kind: 'expense' | 'order' | 'session';
  readonly account: string;
  readonly marker: string;
  readonly idempotencyKey: string | undefined;
  readonly body: unknown;
  readonly tries: Try[];
}

/** What people remember: the laws are held against it. */
export interface Journal {
  readonly intents: Intent[];
  /** Every request of the API, in the order in which they ended. */
  readonly traffic: Exchange[];
  /** Answers that no accident excuses: what was sent, and what came. */
  readonly outrages: string[];
  /** Ids of records that were changed or deleted after they were made. */
  readonly touched: Set<string>;
  /** Sessions whose shopper was sent to the shop's page of thanks. */
  readonly thanked: string[];
  /** What was added to stock, or taken, as it was acknowledged: by inventory item. */
  readonly stocked: { readonly id: string; readonly delta: number }[];
  /** What everybody did, by name and number, in order. */
  readonly deeds: string[];
  /** Deeds that are not done in this replay. */
  readonly leftOut: ReadonlySet<string>;
}

export const newJournal = (leftOut: ReadonlySet<string> = new Set()): Journal => ({
  ...{ intents: [], traffic: [], outrages: [], touched: new Set(), thanked: [], stocked: [], deeds: [], leftOut },
});

const idIn = (text: string): string => {
  try {
    return (JSON.parse(text) as { readonly id: string }).id;
  } catch {
    return `what cannot be read, ${text}`;
  }
};

/** The id of what a try made; undefined where nobody saw that it made anything. */
export const madeBy = ({ seen: { answer } }: Pick<Try, 'seen'>): string | undefined =>
  answer && answer.status >= 200 && answer.status <= 299 ? idIn(answer.text) : undefined;
