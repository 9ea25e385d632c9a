import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Invoke, Read } from '../contract.ts';

/** What every part of the page is given. */
export interface Surroundings {
  readonly read: Read;
  /** For changes, by `useWork` alone: it has their tokens. */
  readonly invoke: Invoke;
  /** Says something that changed to whoever cannot see it, and shows it for a while. */
  readonly announce: (words: string) => void;
  /** Date and time to the second, in the reader's zone. */
  readonly formatTime: (iso: string) => string;
  /** A day in UTC, `2026-03-10`. */
  readonly formatDay: (day: string) => string;
  /** The reader's, as `formatTime` writes it. */
  readonly timeZone: string;
  readonly formatNumber: (value: number) => string;
}

export const SurroundingsContext = createContext<Surroundings | undefined>(undefined);

/** What was announced last: said inside of a dialog too, as nothing behind one is heard. */
export const AnnouncedContext = createContext('');

export const useSurroundings = (): Surroundings => {
  const surroundings = useContext(SurroundingsContext);
  if (!surroundings) throw new Error('Rendered outside of the page.');
  return surroundings;
};
