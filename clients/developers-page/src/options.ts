import type { Invoke } from './contract.ts';

export const views = ['keys', 'webhooks', 'deliveries'] as const;
export type View = (typeof views)[number];

export interface DeveloperPageOptions {
  readonly invoke: Invoke;
  /** The account's name, for the heading. */
  readonly account?: { readonly id: string; readonly name?: string };
  /** The initial tab (default `keys`). */
  readonly view?: View;
  /** The address of the guides and the reference. Without it, the heading has no link. */
  readonly docsUrl?: string;
  /** Called when the user chooses another tab, so that the host can store it. */
  readonly onViewChange?: (view: View) => void;
  /** The locale of dates and numbers, as in `Intl` (default: the browser's). */
  readonly locale?: string;
  readonly timeZone?: string;
}
