import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Change, Read } from '../contract.ts';
import type { HistoryStep, View } from '../options.ts';

/** Context of every part of the page. */
export interface Surroundings {
  readonly read: Read;
  /** For changes. Only `useWork` calls it. */
  readonly change: Change;
  /** The last call found the service down. */
  readonly isDown: boolean;
  /** Increases when everything shown is to be read again. */
  readonly turn: number;
  /** Shows a tab, with its filters and what is open in it. Without filters, with those that it had. Like a link (`push`) by default. */
  readonly show: (view: View, query?: string, item?: string, step?: HistoryStep) => void;
  /** Makes steps of the history wait until the returned function runs. */
  readonly hold: () => () => void;
  /** Whether the user has come to what is shown by a link of the page, which is gone. */
  readonly isFocusLost: () => boolean;
  /** Announces a change to screen readers, and shows it for a while. */
  readonly announce: (words: string) => void;
  /** Formats a time as its distance from now, `3 min. ago`; from a week on, as a date. */
  readonly formatAgo: (iso: string) => string;
  /** Formats date and time to the minute, in the reader's zone. */
  readonly formatTime: (iso: string) => string;
  /** Formats the time of day to the minute, in the reader's zone. */
  readonly formatClock: (ms: number) => string;
  /** Formats an hour with its day, `Sat, 2:00 PM – 3:00 PM`, in the reader's zone. */
  readonly formatHour: (startMs: number, endMs: number) => string;
  /** A date and a time to the second, with the zone. */
  readonly formatSeconds: (iso: string) => string;
  /** Formats a day in UTC, `2026-03-10`. */
  readonly formatDay: (day: string) => string;
  /** The reader's time zone, as used by `formatTime`. */
  readonly timeZone: string;
  readonly formatNumber: (value: number) => string;
  /** Formats a ratio from 0 to 1. Only 1 is 100 %. */
  readonly formatPercent: (ratio: number) => string;
  /** Address of the docs, if the host has them. */
  readonly docsUrl: string | undefined;
  /** Command that shows the account's events in a terminal, if the host has one. */
  readonly listenCommand: string | undefined;
}

export const SurroundingsContext = createContext<Surroundings | undefined>(undefined);

/**
 * The last announcement. A dialog repeats it, because screen readers do not read behind a dialog.
 */
export const AnnouncedContext = createContext('');

/** True inside a modal dialog, which hides the banner of the page. */
export const InDialogContext = createContext(false);

export const useSurroundings = (): Surroundings => {
  const surroundings = useContext(SurroundingsContext);
  if (!surroundings) throw new Error('Rendered outside of the page.');
  return surroundings;
};
