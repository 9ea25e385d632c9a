import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, createClient } from '../../clients/typescript/src/index.ts';
import { findBakery } from '../demo.ts';
import { readCheckpoints, writeCheckpoints } from './checkpoint.ts';
import { type Counts, openMirror, type Synced } from './mirror.ts';

interface Query {
  limit: number;
  /** Without one, in this order too: a walk from the latest change back. */
  updated_after: string;
  cursor?: string;
}

interface Page {
  readonly data: readonly Synced[];
  readonly pagination: { readonly has_more: boolean; readonly next_cursor: string | null };
}

const folder = process.env['SYNC_FOLDER'] ?? '.local/example-sync';
const limit = Number(process.env['SYNC_PAGE'] ?? 100);
const checkpointFile = join(folder, 'checkpoint.json');

/** Lists may lag a write by about a second, so a change may show up behind a later one: look back a little further. */
const overlapMs = 5_000;
const beginning = '1970-01-01T00:00:00.000Z';

const { url, secretKey } = await findBakery();
const client = createClient({ apiKey: secretKey, baseUrl: url });
const lists: Readonly<Record<string, (query: Query) => Promise<Page>>> = {
  customers: (query) => client.customers.list(query),
  expenses: (query) => client.expenses.list(query),
  products: (query) => client.products.list(query),
};

await mkdir(folder, { recursive: true });
const mirror = openMirror(join(folder, 'mirror.db'));

/** Fetches all that changed since the checkpoint; the next one, and counts. */
const walk = async (resource: string, list: (query: Query) => Promise<Page>, since: string): Promise<Counts & { latest: string }> => {
  const updated_after = since === beginning ? since : new Date(Date.parse(since) - overlapMs).toISOString();
  let latest = since;
  let written = 0;
  let unchanged = 0;
  let cursor: string | undefined;
  for (;;) {
    const { data, pagination } = await list({ limit, updated_after, ...(cursor === undefined ? {} : { cursor }) });
    const counts = mirror.upsert(resource, data);
    written += counts.written;
    unchanged += counts.unchanged;
    for (const { updated_at } of data) if (updated_at > latest) latest = updated_at;
    // An empty page is not the end, and neither is a short one.
    if (!pagination.has_more || pagination.next_cursor === null) return { latest, written, unchanged };
    cursor = pagination.next_cursor;
  }
};

/** A cursor dies with its record: then the walk begins again, and what was fetched already is unchanged. */
const walkToTheEnd = async (...args: Parameters<typeof walk>): ReturnType<typeof walk> => {
  for (let tries = 1; ; tries++)
    try {
      return await walk(...args);
    } catch (error) {
      if (tries === 3 || !(error instanceof ApiError && error.code === 'invalid_cursor')) throw error;
    }
};

try {
  for (const [resource, list] of Object.entries(lists)) {
    const checkpoints = await readCheckpoints(checkpointFile);
    const { latest, written, unchanged } = await walkToTheEnd(resource, list, checkpoints[resource] ?? beginning);
    // Only now: pages go from the latest change back, so a walk that stopped in the middle has gaps.
    await writeCheckpoints(checkpointFile, { ...checkpoints, [resource]: latest });
    console.log(`${resource}: ${written} written, ${unchanged} unchanged`);
  }
} finally {
  mirror.close();
}
