import type { Scene } from './scene.ts';

/** What a case does, and what it must lead to. Everything else must stay. */
export interface Effect {
  /** Input of the action, or body of the request. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Does the work, if it is not one call of the case's action. Returns its result. */
  readonly run?: () => Promise<unknown>;
  /** The error that the action must give, which changes nothing. */
  readonly rejected?: { readonly status: number; readonly field?: string };
  /** Types of the events, in any order (§ Events, decisions §7). */
  readonly events?: readonly string[];
  /** The key of the record in which the input is read afterwards, for example `order ord_1`, and what it shows of it. */
  readonly read?: (result: Readonly<Record<string, any>>) => readonly [key: string, shows?: Readonly<Record<string, unknown>>];
  /** Keys of records that are saved, also if their retrieve shows nothing new. */
  readonly saved?: readonly string[];
  /** Keys of the records that are gone afterwards. */
  readonly gone?: readonly string[];
}

/** Cases by title. Each prepares a scene, and returns what it then does. */
export type Cases = Readonly<Record<string, (scene: Scene) => Promise<Effect> | Effect>>;

/** A call with an input that must be rejected. */
export const rejects = (input: Effect['input'] = {}, field?: string, status = 409): Effect => ({
  input,
  rejected: { status, ...(field === undefined ? {} : { field }) },
});
