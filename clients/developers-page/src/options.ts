import type { Invoke } from './contract.ts';

export const views = ['keys', 'webhooks', 'deliveries'] as const;
export type View = (typeof views)[number];

export interface DeveloperPageOptions {
  readonly invoke: Invoke;
  /** Whose page it is, for the heading. */
  readonly account?: { readonly id: string; readonly name?: string };
  /** The tab to begin with (default `keys`). */
  readonly view?: View;
  /** Where the guides and the reference are, for a link in the heading; none without it. */
  readonly docsUrl?: string;
  /** Called when another tab is chosen, so that the host may remember it. */
  readonly onViewChange?: (view: View) => void;
  /** Of dates and numbers, as in `Intl` (default: the browser's). */
  readonly locale?: string;
  readonly timeZone?: string;
}
