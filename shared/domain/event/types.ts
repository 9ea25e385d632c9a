import { resources } from '../../core/resources.ts';

/**
 * The types an endpoint can subscribe to (§ Events, Subscribable types). Marked as pure, so that a
 * bundle without a use of the list drops it.
 */
export const eventTypes = /* @__PURE__ */ Object.values(resources).flatMap(({ events }) => events);
export type EventType = (typeof eventTypes)[number];

/** Type of test events. Endpoints cannot subscribe to it. */
export const testEventType = 'webhook.test';

/** A record before or after a change. */
export interface Image<Record> {
  readonly record: Record;
  /**
   * Increases with every save, also with a save that changes nothing. Writes that emit no event do
   * not change it.
   */
  readonly revision: number;
}

/** A change after which the record exists. `before` is absent for a new record. */
export interface Images<Record> {
  readonly before: Image<Record> | undefined;
  readonly after: Image<Record>;
}

export interface EventOfChange {
  readonly type: EventType;
  readonly object: { readonly id: string };
}

export const isSaved = (before: Image<unknown>, after: Image<unknown>): boolean => before.revision !== after.revision;
