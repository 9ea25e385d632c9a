import type { Region } from '../../shared/core/config.ts';
import { stillWaits } from '../../shared/operations/waiting-erasure.ts';
import type { ActionCall } from '../../shared/providers/siblings.ts';
import type { Services } from '../../shared/services.ts';
import type { DueErasure } from '../../shared/table/erasures.ts';
import { dueShards } from '../../shared/table/schema.ts';
import type { Store } from '../../shared/table/store.ts';
import { requeueOverdue } from '../../shared/webhooks/overdue.ts';

type SweepServices = Pick<Services, 'queue' | 'policy' | 'clock' | 'log' | 'noticeBus' | 'sender'> & {
  readonly store: Pick<Store, 'checkoutSessions' | 'deliveries' | 'erasures' | 'heartbeat' | 'notices'>;
  readonly region: Region;
  /** The region's public address, asked through `sender`; absent in the local service. */
  readonly publicUrl?: string;
  /** Starts a dashboard action. */
  readonly startAction: (call: ActionCall) => Promise<void>;
};

const budgetMs = 45_000;

/**
 * Sends the notices that are due. If the bus rejects a notice, it stays due. If the process dies
 * before it marks a notice as sent, the notice is sent again with the same id.
 */
const sendNotices = async ({ store: { notices }, noticeBus, clock, log }: SweepServices): Promise<void> => {
  if (!noticeBus) return;
  let [sent, rejected] = [0, 0];
  for await (const page of notices.due(clock.now())) {
    const accepted = await noticeBus.publish(page);
    for (const notice of accepted) await notices.markSent(notice);
    sent += accepted.length;
    rejected += page.length - accepted.length;
  }
  if (sent + rejected > 0) log({ op: 'notices', sent, rejected });
  if (rejected > 0) throw new Error(`The event bus rejected ${rejected} notices. They will be sent again.`);
};

/** Continues an erasure, or postpones it while its payments run. Returns whether it was continued. */
const continueOrPostpone = async (services: SweepServices, { account, customer }: DueErasure): Promise<boolean> => {
  const { store, startAction } = services;
  if (customer !== undefined && (await stillWaits(services, account, await store.erasures.get(account, customer)))) {
    await store.erasures.postpone(account, customer);
    return false;
  }
  const [action, input] = customer === undefined ? ['account.erase', {}] : ['customer.erase', { id: customer }];
  await startAction({ action, account, input });
  return true;
};

/**
 * Continues the erasures of which a payment has ended, and those that a dead function left. The action
 * stores when its erasure is due again. An erasure that fails is thrown after the others: it stays
 * the earliest that is due.
 */
const continueErasures = async (services: SweepServices): Promise<void> => {
  const { store, clock, log } = services;
  const failures: unknown[] = [];
  let continued = 0;
  for (const due of await store.erasures.due(clock.now())) {
    try {
      if (await continueOrPostpone(services, due)) continued += 1;
    } catch (error) {
      failures.push(error);
    }
  }
  if (continued > 0) log({ op: 'erasures', continued });
  if (failures.length > 0) throw failures[0];
};

/** A fallback that has to start responds within a second. */
const probeMs = 10_000;

/**
 * Asks for the health of the region as a caller does: by its public name, certificate, domain and
 * mapping. Returns the status, or why there was none, if that fails. A 429 shows that the address
 * leads to an API, which others flood.
 */
const whyUnreachable = async ({ publicUrl, region, sender }: SweepServices): Promise<string | undefined> => {
  if (publicUrl === undefined) return undefined;
  const request = { url: `${publicUrl}/health?region=${region}`, method: 'GET', headers: {}, body: '', timeoutMs: probeMs } as const;
  const { success, statusCode, error } = await sender.send(request);
  return success || statusCode === 429 ? undefined : String(statusCode ?? error);
};

/**
 * Returns the handler of the sweep. It writes the heartbeat of the change stream, queues overdue
 * deliveries, continues erasures, sends notices and asks whether the region's public address leads
 * here: every 5 minutes, or every minute if the deployment has notices. If one job fails, the others
 * still finish before the error is thrown. An address that leads elsewhere is logged; an alarm fires.
 */
export const sweep = (services: SweepServices) => async (): Promise<{ requeued: number }> => {
  const { store, queue, policy, clock, log } = services;
  const startMs = clock.now();
  const jobs = Promise.allSettled([store.heartbeat.write(), sendNotices(services), continueErasures(services)]);
  const overdue = requeueOverdue({ deliveries: store.deliveries, queue, policy, clock }, { shards: dueShards, budgetMs });
  const [{ outcome, failure }, results, unreachable] = await Promise.all([overdue, jobs, whyUnreachable(services)]);
  const { requeued } = outcome;
  log({ op: 'sweep', requeued, unreachable, ms: clock.now() - startMs });
  const error = failure ?? results.find((job) => job.status === 'rejected')?.reason;
  if (error) throw error;
  return { requeued };
};
