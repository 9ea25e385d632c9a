import type { Invoke } from './contract.ts';

export const views = ['keys', 'webhooks', 'deliveries', 'requests'] as const;
export type View = (typeof views)[number];

/** What the page shows: a tab, its filters, and what is open in it. */
export interface Shown {
  readonly view: View;
  /** Without a leading `?`; empty without filters. */
  readonly query: string;
  /** `<endpoint>`, `<endpoint>/<event>` or a request id; empty if none is open. */
  readonly item: string;
}

/**
 * What a change means for the history of the browser: a new entry, another address of the same entry,
 * or the end of what is open. `close` returns to the entry before if that is the new address.
 */
export type HistoryStep = 'push' | 'replace' | 'close';

export interface DeveloperPageOptions {
  readonly invoke: Invoke;
  /** The account of the page, for the heading. */
  readonly account?: { readonly id: string; readonly name?: string };
  /** The initial tab (default `keys`). */
  readonly view?: View;
  /** Address of the docs, for a link in the heading; without it there is no link. */
  readonly docsUrl?: string;
  /** Command that shows the account's events in a terminal. An empty list of endpoints names it. */
  readonly listenCommand?: string;
  /** The initial filters of the deliveries or the requests, as `onViewChange` gave them. */
  readonly query?: string;
  /** What is open at first, as `onViewChange` gave it. */
  readonly item?: string;
  /**
   * Called when the user chooses another tab or other filters, or opens or closes an endpoint, a
   * delivery or a request, so that the host can store them in the address.
   */
  readonly onViewChange?: (view: View, query: string, item: string, step: HistoryStep) => void;
  /** Locale of dates and numbers, as in `Intl`. Default: the browser's. */
  readonly locale?: string;
  readonly timeZone?: string;
}
