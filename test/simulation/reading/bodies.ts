import { isDeepStrictEqual } from 'node:util';
import { bodyIn, oncePer } from '../invariants/invariant.ts';

export interface Body {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly tenant_id: string;
  readonly data: { readonly object: { readonly id?: string; readonly customer_id?: string | null } };
}

export interface StoredBodies {
  /** The body as it was first stored, before any erasure. */
  readonly first: Body;
  readonly storedMs: number;
  readonly bodies: Set<string>;
  /** The place of its first storage: its own item, or the record of its only delivery. */
  readonly made: string[];
}

/** Returns all that was ever stored as the body of an event, by event id, from the history of the table. */
export const storedBodies = oncePer(({ region }): ReadonlyMap<string, StoredBodies> => {
  const stored = new Map<string, StoredBodies>();
  for (const { key, before, after, atMs } of region.engine.table('simulated').changes) {
    if (!/^(evt|dlv)#/.test(String(key['pk'])) || isDeepStrictEqual(before?.['body'], after?.['body'])) continue;
    const body = bodyIn(after);
    if (body === undefined) continue;
    const id = String(key['sk']);
    const known = stored.get(id) ?? { first: JSON.parse(body) as Body, storedMs: atMs, bodies: new Set(), made: [] };
    stored.set(id, known);
    known.bodies.add(body);
    if (!before) known.made.push(String(key['pk']));
  }
  return stored;
});
