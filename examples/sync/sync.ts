import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, createClient } from '../../clients/typescript/src/index.ts';
import { findBakery } from '../demo.ts';
import { readCheckpoints, writeCheckpoints } from './checkpoint.ts';
import { type Counts, openMirror, type Synced } from './mirror.ts';

/** A page of records, latest change first. */
interface Step {
  readonly limit: number;
  readonly cursor?: string;
}

interface Page {
  readonly data: readonly Synced[];
  readonly pagination: { readonly has_more: boolean; readonly next_cursor: string | null };
}

const folder = process.env['SYNC_FOLDER'] ?? '.local/example-sync';
const limit = Number(process.env['SYNC_PAGE'] ?? 100);
const checkpointFile = join(folder, 'checkpoint.json');

/**
 * Lists may lag a write by about a second, so a change may appear after a later one. Read a little
 * further back.
 */
const overlapMs = 5_000;
const beginning = '1970-01-01T00:00:00.000Z';

const { url, secretKey } = await findBakery('secretKey');
const client = createClient({ apiKey: secretKey, baseUrl: url });
/**
 * Lists changes since a time, latest first. Orders have the sort order but no such filter, so their
 * loop ends at the time.
 */
type List = (step: Step, updated_after: string) => Promise<Page>;
const lists: Readonly<Record<string, List>> = {
  customers: (step, updated_after) => client.customers.list({ ...step, updated_after }),
  expenses: (step, updated_after) => client.expenses.list({ ...step, updated_after }),
  orders: (step) => client.orders.list({ ...step, sort: 'updatedAt' }),
  products: (step, updated_after) => client.products.list({ ...step, updated_after }),
};

/** Set to fetch only the customers and orders with this id of your own system. */
const externalId = process.env['SYNC_EXTERNAL_ID'];

await mkdir(folder, { recursive: true });
const mirror = openMirror(join(folder, 'mirror.db'));

/** Fetches all changes since the checkpoint. Returns the next checkpoint and counts. */
const walk = async (resource: string, list: List, checkpoint: string): Promise<Counts & { latest: string }> => {
  const since = checkpoint === beginning ? checkpoint : new Date(Date.parse(checkpoint) - overlapMs).toISOString();
  let latest = checkpoint;
  let written = 0;
  let unchanged = 0;
  let cursor: string | undefined;
  const seen = new Set<string>();
  for (;;) {
    const { data, pagination } = await list({ limit, ...(cursor === undefined ? {} : { cursor }) }, since);
    const changed = data.filter(({ updated_at }) => updated_at >= since);
    const counts = mirror.upsert(resource, changed);
    written += counts.written;
    unchanged += counts.unchanged;
    for (const { updated_at } of changed) if (updated_at > latest) latest = updated_at;
    // Later pages hold older records only. An empty or short page is not the end.
    if (changed.length < data.length || !pagination.has_more || pagination.next_cursor === null) return { latest, written, unchanged };
    cursor = pagination.next_cursor;
    if (seen.has(cursor)) throw new Error(`${resource}: a cursor came twice, so the list would never end.`);
    seen.add(cursor);
  }
};

/**
 * A cursor becomes invalid with its record. Then the walk restarts, and records fetched before are
 * unchanged.
 */
const walkToTheEnd = async (...args: Parameters<typeof walk>): ReturnType<typeof walk> => {
  for (let tries = 1; ; tries++)
    try {
      return await walk(...args);
    } catch (error) {
      if (tries === 3 || !(error instanceof ApiError && error.code === 'invalid_cursor')) throw error;
    }
};

/** Fetches the records with an id of your own system. Several records may have it. */
const fetchByExternalId = async (external_id: string): Promise<void> => {
  const found = { customers: client.customers.listAll({ external_id }), orders: client.orders.listAll({ external_id }) };
  for (const [resource, records] of Object.entries(found)) {
    const all: Synced[] = [];
    for await (const record of records) all.push(record);
    const { written, unchanged } = mirror.upsert(resource, all);
    console.log(`${resource}: ${written} written, ${unchanged} unchanged`);
  }
};

try {
  if (externalId !== undefined) await fetchByExternalId(externalId);
  else
    for (const [resource, list] of Object.entries(lists)) {
      const checkpoints = await readCheckpoints(checkpointFile);
      const { latest, written, unchanged } = await walkToTheEnd(resource, list, checkpoints[resource] ?? beginning);
      // Save only now: pages start from the latest change, so an interrupted walk has gaps.
      await writeCheckpoints(checkpointFile, { ...checkpoints, [resource]: latest });
      console.log(`${resource}: ${written} written, ${unchanged} unchanged`);
    }
} finally {
  mirror.close();
}
