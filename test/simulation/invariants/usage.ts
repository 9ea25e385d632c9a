import type { Item } from '../../../local/engine/commands/values.ts';
import type { ApiKey } from '../../../shared/domain/account/record.ts';
import type { DeliveryRecord } from '../../../shared/domain/webhook/record.ts';
import type { Change } from '../engine/table.ts';
import type { UsageSight } from '../people/journal.ts';
import { isEndpointKey } from '../reading/endpoints.ts';
import { recordIn } from '../reading/records.ts';
import { valuesDuring } from './history.ts';
import type { Evidence, Invariant } from './invariant.ts';
import { booksOf, firstMonth, monthOf, skewMs } from './order-books.ts';

/** The documented values, not the product's constants. */
const mostEndpoints = 10;
const mostPending = 100;
/** The most that an index lags behind the table. */
const lagMs = 2_500;

interface Usage {
  readonly id: string;
  readonly plan: string;
  readonly status: string;
  readonly orders: { readonly month: string; readonly count: number; readonly or_more: boolean; readonly limit: number | null };
  readonly webhook_endpoints: { readonly count: number; readonly enabled: number; readonly limit: number };
  readonly api_keys: { readonly count: number; readonly usable: number };
  readonly deliveries: readonly {
    readonly endpoint_id: string;
    readonly enabled: boolean;
    readonly pending: number;
    readonly or_more: boolean;
  }[];
}

/** Returns the items of a partition at the start of a time, and after each change during it. */
const statesDuring = ({ region }: Evidence, home: string, fromMs: number, toMs: number): readonly (readonly Item[])[] => {
  const items = new Map<string, Item>();
  const states: (readonly Item[])[] = [];
  const apply = ({ key, after }: Change): void => {
    if (after) items.set(String(key['sk']), after);
    else items.delete(String(key['sk']));
  };
  const changes = region.engine.table('simulated').changes.filter(({ key, atMs }) => key['pk'] === home && atMs <= toMs);
  for (const change of changes.filter(({ atMs }) => atMs < fromMs)) apply(change);
  states.push([...items.values()]);
  for (const change of changes.filter(({ atMs }) => atMs >= fromMs)) {
    apply(change);
    states.push([...items.values()]);
  }
  return states;
};

const isWithin = (value: number, counts: readonly number[]): boolean => value >= Math.min(...counts) && value <= Math.max(...counts);

const isUsable = ({ revoked_at, expires_at }: ApiKey, nowMs: number): boolean =>
  revoked_at === null && (expires_at === null || Date.parse(expires_at) > nowMs);

const orderFindings = (evidence: Evidence, { account, begunMs, endedMs }: UsageSight, { orders }: Usage): readonly string[] => {
  const books = booksOf(evidence, account);
  const births = books.births.filter(({ month }) => month === orders.month);
  const months = [begunMs - skewMs, endedMs + skewMs].map(monthOf);
  const isComplete = orders.month >= firstMonth(books, endedMs);
  const least = isComplete ? births.filter((one) => one.atMs < begunMs - lagMs && books.isCounted(one)).length : 0;
  const most = births.filter(({ atMs }) => atMs <= endedMs).length;
  const limits = valuesDuring(evidence, account, 'order_limit', [begunMs, endedMs]);
  return [
    ...(months.includes(orders.month) ? [] : [`says the month ${orders.month}`]),
    ...(orders.count >= least && orders.count <= most ? [] : [`says ${orders.count} orders of ${least} to ${most}`]),
    ...(limits.includes(orders.limit) && !orders.or_more ? [] : [`says the limit ${orders.limit} of ${limits.join(' or ')}`]),
  ];
};

const endpointFindings = (
  evidence: Evidence,
  { account, begunMs, endedMs }: UsageSight,
  { webhook_endpoints: reportedEndpoints, deliveries }: Usage,
): readonly string[] => {
  const states = statesDuring(evidence, `whe#${account}`, begunMs, endedMs).map((items) => items.filter(isEndpointKey));
  const agrees = (items: readonly Item[]): boolean => {
    const enabled = items.filter((item) => item['enabled'] === true).map(({ sk }) => sk);
    const shown = deliveries.map(({ endpoint_id, enabled: isOn }) => `${endpoint_id} ${isOn}`);
    return (
      reportedEndpoints.count === items.length &&
      reportedEndpoints.enabled === enabled.length &&
      shown.toSorted().join() ===
        items
          .map(({ sk }) => `${sk} ${enabled.includes(sk)}`)
          .toSorted()
          .join()
    );
  };
  return states.some(agrees) && reportedEndpoints.limit === mostEndpoints
    ? []
    : [`says ${JSON.stringify([reportedEndpoints, deliveries])} of the endpoints`];
};

const keyFindings = (
  evidence: Evidence,
  { account, begunMs, endedMs }: UsageSight,
  { api_keys: reportedKeys }: Usage,
): readonly string[] => {
  const states = statesDuring(evidence, `key#${account}`, begunMs, endedMs).map((items) => items.map((item) => recordIn<ApiKey>(item)));
  const agrees = (keys: readonly ApiKey[]): boolean =>
    reportedKeys.count === keys.length &&
    isWithin(
      reportedKeys.usable,
      [begunMs - skewMs, endedMs + skewMs].map((ms) => keys.filter((key) => isUsable(key, ms)).length),
    );
  return states.some(agrees) ? [] : [`says ${reportedKeys.usable} usable of ${reportedKeys.count} keys`];
};

/**
 * Compares the pending deliveries with the records that were pending at all times, or at one. A
 * record that fails, and so changes its place, during the read counts once like every other.
 */
const pendingFindings = (evidence: Evidence, { account, begunMs, endedMs }: UsageSight, { deliveries }: Usage): readonly string[] =>
  deliveries.flatMap(({ endpoint_id, pending, or_more }) => {
    const states = statesDuring(evidence, `dlv#${account}#${endpoint_id}`, begunMs - lagMs, endedMs).map(
      (items) => new Set(items.flatMap((item) => ((item['view'] as unknown as DeliveryRecord).status === 'pending' ? [item['sk']] : []))),
    );
    const most = new Set(states.flatMap((ids) => [...ids])).size;
    const least = [...(states[0] ?? [])].filter((id) => states.every((ids) => ids.has(id))).length;
    const isRight = pending <= most && pending <= mostPending && (or_more || pending >= least);
    return isRight ? [] : [`says ${pending} pending deliveries of ${endpoint_id}, and ${least} to ${most} were`];
  });

const accountFindings = (evidence: Evidence, { account, begunMs, endedMs }: UsageSight, usage: Usage): readonly string[] =>
  (['plan', 'status', 'id'] as const).flatMap((name) => {
    const values: readonly string[] = valuesDuring(evidence, account, name, [begunMs, endedMs]);
    return values.includes(usage[name]) ? [] : [`says the ${name} ${usage[name]} of ${values.join(' or ')}`];
  });

export const usageIsRight: Invariant = {
  number: 26,
  name: 'account.usage shows the orders, endpoints, keys and pending deliveries that the account has',
  breaches: (evidence) =>
    evidence.journal.usages.flatMap((sight) => {
      const usage = sight.result as unknown as Usage;
      const findings = [accountFindings, orderFindings, endpointFindings, keyFindings, pendingFindings].flatMap((findingsOf) =>
        findingsOf(evidence, sight, usage),
      );
      return findings.map((finding) => `account.usage of ${sight.account} at ${new Date(sight.begunMs).toISOString()} ${finding}.`);
    }),
};
