import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../test/support/eventually.ts';
import { serve } from '../../test/support/serve.ts';
import { freePorts, type ServiceProcess, startService } from '../../test/support/service.ts';

export interface DurabilityOptions {
  readonly rounds: number;
  /** Expenses written per round. */
  readonly writes: number;
  readonly endpoints: number;
  readonly report?: (round: RoundReport) => void;
  /** Milliseconds of a clock; without one, the times of a report are 0. */
  readonly now?: () => number;
}

export interface RoundReport {
  readonly round: number;
  readonly acknowledged: number;
  /** Acknowledged writes of the round after which it was killed. */
  readonly killedAfter: number;
  readonly restartMs: number;
}

export interface DurabilityReport {
  readonly acknowledged: number;
  /** Acknowledged expenses times endpoints that never received them. */
  readonly lost: number;
  readonly deliveries: number;
  /** Deliveries of an event that the endpoint had received before. */
  readonly duplicates: number;
  /** Duplicates with other bytes than the first delivery. */
  readonly changedDuplicates: number;
  /** Expenses announced under more than one event id. */
  readonly splitEvents: number;
  /** From the last restart until every acknowledged expense had arrived everywhere. */
  readonly settledMs: number;
}

/** Writes that one key may make in a minute, with a margin (§ Limits). */
const writesPerKey = 90;
const writers = 8;

/** Counts what arrives at several endpoints, one path each. */
const startReceiver = async () => {
  const bodies = new Map<string, string[]>();
  const events = new Map<string, Set<string>>();
  const { url, stop } = await serve((request, response, body) => {
    const { id, data } = JSON.parse(body.toString()) as { id: string; data: { object: { id: string } } };
    const at = `${request.url} ${id}`;
    bodies.set(at, [...(bodies.get(at) ?? []), createHash('sha256').update(body).digest('hex')]);
    const received = `${request.url} ${data.object.id}`;
    events.set(received, (events.get(received) ?? new Set()).add(id));
    response.end();
  });
  return { bodies, events, origin: url, stop };
};

const post = async (url: string, key: string, body: unknown): Promise<Record<string, unknown>> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const responseBody = (await response.json()) as Record<string, unknown>;
  if (response.status !== 201) throw new Error(`${response.status} ${JSON.stringify(responseBody)}`);
  return responseBody;
};

/**
 * Writes expenses from several writers until all are written or the service is gone; calls back
 * with each id that was acknowledged.
 */
const writeExpenses = async (origin: string, keys: readonly string[], count: number, acknowledge: (id: string) => void): Promise<void> => {
  let next = 0;
  const write = async () => {
    for (let i = next++; i < count; i = next++) {
      const key = keys[i % keys.length] ?? '';
      const expense = await post(`${origin}/api/v2/expenses`, key, { amount: i + 1, date: '2026-11-01', category: 'rent' });
      acknowledge(String(expense['id']));
    }
  };
  await Promise.allSettled(Array.from({ length: writers }, write));
};

const newKeys = (service: ServiceProcess, account: string, count: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const { key } = await service.action('us', 'key.create', { type: 'secret', group: 'fullAccess', name: 'writer' }, account);
      return String(key);
    }),
  );

/**
 * Kills the service with SIGKILL at a random moment of every round of writes, and counts what
 * arrived in the end.
 */
export const runDurability = async ({ rounds, writes, endpoints, report, now = () => 0 }: DurabilityOptions): Promise<DurabilityReport> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'durability-'));
  const port = await freePorts();
  const receiver = await startReceiver();
  const start = () => startService({ port, args: ['--data', dataDir, '--allow-loopback-webhooks', '--no-seed', '--region', 'us'] });
  const acknowledged = new Set<string>();
  const paths = Array.from({ length: endpoints }, (_, i) => `/hook-${i}`);
  let service = await start();
  try {
    const { id } = await service.action('us', 'account.create', { name: 'Durable Bakery', plan: 'business' });
    const account = String(id);
    const [owner = ''] = await newKeys(service, account, 1);
    for (const path of paths)
      await post(`${service.origin('us')}/api/v2/webhooks`, owner, { url: `${receiver.origin}${path}`, events: ['expense.created'] });

    for (let round = 1; round <= rounds; round++) {
      const keys = await newKeys(service, account, Math.ceil(writes / writesPerKey));
      const before = acknowledged.size;
      const killedAfter = Math.floor(Math.random() * writes);
      // At this time the other writers are in the middle of a write.
      await writeExpenses(service.origin('us'), keys, writes, (id) => {
        acknowledged.add(id);
        if (acknowledged.size - before > killedAfter) void service.kill();
      });
      await service.kill();
      const killedMs = now();
      service = await start();
      report?.({ round, acknowledged: acknowledged.size - before, killedAfter, restartMs: now() - killedMs });
    }

    const missing = () => paths.flatMap((path) => [...acknowledged].filter((expense) => !receiver.events.has(`${path} ${expense}`)));
    const restartedMs = now();
    // Expenses that never arrive are counted as lost.
    await until(() => missing().length === 0).catch(() => undefined);
    const settledMs = now() - restartedMs;

    const deliveries = [...receiver.bodies.values()];
    const idsOf = new Map<string, Set<string>>();
    for (const [received, ids] of receiver.events) {
      const expense = received.split(' ')[1] ?? '';
      idsOf.set(expense, new Set([...(idsOf.get(expense) ?? []), ...ids]));
    }
    return {
      acknowledged: acknowledged.size,
      lost: missing().length,
      deliveries: deliveries.flat().length,
      duplicates: deliveries.flat().length - deliveries.length,
      changedDuplicates: deliveries.filter((hashes) => new Set(hashes).size > 1).length,
      splitEvents: [...idsOf.values()].filter((ids) => ids.size > 1).length,
      settledMs,
    };
  } finally {
    await service.kill();
    await receiver.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
};
