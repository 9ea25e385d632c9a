import type { Deployment } from './deployment.ts';
import { defaultKeys, type Limit, type LimitKey, limitsOf, peakOrders, reachedAt } from './limits.ts';
import { hoursAMonth, prices } from './prices.ts';
import { type Billed, serverlessMonth } from './volumes.ts';

export const bakeryCounts: readonly number[] = [1_000, 10_000, 100_000];
/** Orders of a bakery on each day of a month. */
const ordersADay = 30;
const ordersOf = (bakeries: number): number => bakeries * ordersADay * (hoursAMonth / 24);

/** Keys are set for this many times the busiest second. */
const headroom = 2;
/** With this part of the quota, deliveries leave the rest to the API. */
const shareOfQuota = 1 / 10;

/** What a region with this many bakeries needs. */
export interface Load extends Readonly<Record<LimitKey, number>> {
  readonly orders: number;
  readonly lambdaQuota: number;
  /** Write units in the busiest second. */
  readonly writeUnits: number;
  /** The limit that is reached next and that no key raises, and the number of bakeries then. */
  readonly next: { readonly limit: Limit; readonly bakeries: number };
  /** US dollars a month. */
  readonly dollars: number;
}

export const loadOf = (billed: Billed, deployment: Deployment, bakeries: number): Load => {
  const orders = ordersOf(bakeries);
  const defaults = limitsOf(billed, deployment);
  const neededOf = (key: LimitKey): number => {
    const first = Math.min(...defaults.filter((limit) => limit.key === key).map(reachedAt));
    return Math.max(defaultKeys[key], Number(((headroom * defaultKeys[key] * orders) / first).toPrecision(1)));
  };
  const keys = { deliverConcurrency: neededOf('deliverConcurrency'), routeThrottle: neededOf('routeThrottle') };
  const [next] = limitsOf(billed, deployment, keys)
    .filter((limit) => limit.key === undefined && reachedAt(limit) > orders)
    .sort((a, b) => reachedAt(a) - reachedAt(b));
  const writes = defaults.find(({ what }) => what === 'write units of a table');
  if (!next || !writes) throw new Error('A limit is missing.');
  return {
    orders,
    ...keys,
    lambdaQuota: keys.deliverConcurrency / shareOfQuota,
    writeUnits: writes.perOrder * peakOrders(orders),
    next: { limit: next, bakeries: (reachedAt(next) / orders) * bakeries },
    dollars: serverlessMonth(billed, orders, deployment.metrics).total,
  };
};

/** Two keys of Stripe and two of Typesense. */
const secretsOfBakery = 4;
/** `checkout-page` and `products` read a bakery's secrets in one call each, five minutes apart. */
const readersOfSecrets = 2;
const secretsCachedSeconds = 300;

interface SecretLimit {
  readonly what: string;
  readonly available: number;
  readonly ofBakery: number;
  readonly perBakery: string;
  readonly knob: string;
}

/** Quotas of Parameter Store for an AWS account and region, if every bakery has its secrets there. */
export const secretLimits: readonly SecretLimit[] = [
  {
    what: 'parameters',
    available: 10_000,
    ofBakery: secretsOfBakery,
    perBakery: String(secretsOfBakery),
    knob: `advanced tier: 100,000 more, $${prices.parameterStore.advancedMonth.toFixed(2)} a month each; or secrets in the settings`,
  },
  {
    what: 'calls a second',
    available: 40,
    ofBakery: readersOfSecrets / secretsCachedSeconds,
    perBakery: `${readersOfSecrets} in ${secretsCachedSeconds} s`,
    knob: `high throughput: $${prices.parameterStore.callTenThousand.toFixed(2)} per 10,000 calls`,
  },
];
