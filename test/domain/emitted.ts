import { type Change, eventsOfChange } from '../../shared/domain/event/changes.ts';

/** Returns a function to the events of a change of a record. `saved` is false for a write that is not a save. */
export const eventsOfKind =
  <Stored>(kind: Change['kind']) =>
  (before: Stored | undefined, after: Stored | undefined, saved = true) => {
    const image = (record: Stored | undefined, revision: number) => record && { record, revision };
    const change = { kind, before: image(before, 1), after: image(after, saved ? 2 : 1) } as unknown as Change;
    return eventsOfChange(change) as readonly { readonly type: string; readonly object: Readonly<Record<string, unknown>> }[];
  };
