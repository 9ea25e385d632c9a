import type { Invoke } from './contract.ts';

export const views = ['keys', 'webhooks', 'deliveries'] as const;
export type View = (typeof views)[number];

export interface DeveloperPageOptions {
  readonly invoke: Invoke;
  /** The account of the page, for the heading. */
  readonly account?: { readonly id: string; readonly name?: string };
  /** The initial tab (default `keys`). */
  readonly view?: View;
  /** Address of the docs, for a link in the heading; without it there is no link. */
  readonly docsUrl?: string;
  /** Called when the user chooses another tab, so that the host can store it. */
  readonly onViewChange?: (view: View) => void;
  /** Locale of dates and numbers, as in `Intl`. Default: the browser's. */
  readonly locale?: string;
  readonly timeZone?: string;
}
