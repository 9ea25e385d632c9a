import type { Random } from '../scheduler/random.ts';
import type { HttpResponse, Request } from '../world/http.ts';
import type { Region, Seen } from '../world/region.ts';
import { type Intent, type Journal, madeBy, type Try } from './journal.ts';
import { atWork, type Stage } from './person.ts';
import { customerOf, type Shop } from './storefront.ts';
import { witness } from './witness.ts';

const mostTries = 6;

/** Sends a request and records its response. */
export const send = async (region: Region, journal: Journal, request: Request): Promise<Seen> => {
  const seen = await region.request(request);
  witness(journal, request, seen);
  return seen;
};

const isFinal = (response: HttpResponse | undefined): boolean =>
  response !== undefined && response.status < 500 && response.status !== 409 && response.status !== 429;

const paths = { expense: '/expenses', order: '/orders', customer: '/customers', session: '/checkout' } as const;
/** Records that integrators create. Clerks create customers. */
type Kind = Exclude<Intent['kind'], 'customer'>;

/** Some orders have a response that is stored compressed. */
const bodyOf = (kind: Kind, marker: string, amount: number): object =>
  kind === 'expense'
    ? { amount, date: '2026-03-05', category: 'ingredients', description: marker }
    : { items: Array.from({ length: 1 + (amount % 4) }, () => ({ name: 'Cake', quantity: 1, unit_price: amount })), notes: marker };

/** Optional fields of an order: customer, catalog items, another currency, and payments. */
const orderDetails = ({ products }: Shop, random: Random): object => ({
  ...(random.chance(0.6) ? { customer: customerOf(random) } : {}),
  ...(random.chance(0.3)
    ? {
        items: [
          { product_id: random.pick(products), quantity: 1 },
          { name: 'Candle', quantity: 3, unit_price: 0.1 },
        ],
      }
    : {}),
  ...(random.chance(0.1) ? { currency: 'EUR' } : {}),
  ...(random.chance(0.2) ? { payments: [{ amount: 5, tip_amount: random.pick([0, 0.75]), method: 'cash', status: 'completed' }] } : {}),
});

/**
 * Sends the request of an intent, or another request with its Idempotency-Key, and records the
 * result.
 */
export const attempt = async (
  { region, journal, tenant }: Stage,
  name: string,
  intent: Intent,
  { kind = intent.kind, body = intent.body, key = tenant.key }: Partial<Pick<Try, 'kind' | 'body'>> & { readonly key?: string } = {},
): Promise<Seen> => {
  const { scheduler } = region.world;
  const { idempotencyKey } = intent;
  const path = paths[kind];
  const seen = await send(region, journal, {
    ...{ method: 'POST', path, key, body },
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });
  intent.tries.push({ kind, body, sentMs: seen.begunMs, seenMs: seen.endedMs, seen });
  scheduler.note(
    name,
    `POST ${path} ${intent.marker}: ${seen.response ? `${seen.response.status}${seen.response.replayed ? ' replayed' : ''}` : 'no answer'}`,
  );
  return seen;
};

/**
 * Repeats a request with an Idempotency-Key until a response is final, each time with one of the
 * API keys.
 */
export const insist = async (stage: Stage, name: string, intent: Intent, random: Random, keys: readonly string[]): Promise<void> => {
  for (let tries = 1; ; tries++) {
    const { response } = await attempt(stage, name, intent, { key: random.pick(keys) });
    if (isFinal(response) || intent.idempotencyKey === undefined || tries === mostTries) return;
    await stage.region.world.scheduler.sleep(random.below(40_000));
  }
};

/**
 * An integrator's program. It creates records, repeats requests with the same Idempotency-Key until
 * a response is final, and sometimes makes mistakes.
 */
export const integrate = async (stage: Stage): Promise<void> => {
  const { region, journal, tenant } = stage;
  const { account, key } = tenant;
  const { scheduler } = region.world;
  const name = `app-${stage.number}`;
  const keys = [key, key, tenant.otherKey];

  const intend = (action: number, random: Random): Intent & { readonly kind: Kind } => {
    const kind = random.chance(0.7) ? 'expense' : 'order';
    // Every account uses the same keys, because accounts have separate ones.
    const idempotencyKey = random.chance(0.85) ? `key-${action}` : undefined;
    const marker = `${name}-${action}`;
    const body = bodyOf(kind, marker, 1 + random.below(10_000) / 100);
    const details = kind === 'order' && stage.play === 'shop' ? orderDetails(tenant.shop, random) : {};
    return { kind, account, marker, idempotencyKey, body: { ...body, ...details }, tries: [] };
  };

  const lookAt = async ({ tries }: Intent): Promise<void> => {
    const made = tries.find((one) => madeBy(one) !== undefined);
    const id = made && madeBy(made);
    if (made === undefined || id === undefined) return;
    const { response } = await send(region, journal, { method: 'GET', path: `${paths[made.kind]}/${id}`, key });
    // Other invariants check whether the API key is valid.
    const excused = response?.status !== 404 || journal.touched.has(id);
    if (!excused) journal.outrages.push(`GET of ${id}, which was acknowledged, was answered with 404.`);
  };

  await atWork(stage, {
    name,
    actions: 10 + scheduler.stream(name).below(10),
    pauseMs: (random) => (random.chance(0.1) ? random.below(600_000) : random.below(5_000)),
    async act(random, action) {
      const intent = intend(action, random);
      const isKeyed = intent.idempotencyKey !== undefined;
      const { kind, marker } = intent;
      const isAnother = {
        kind: kind === 'order' ? ('expense' as const) : ('order' as const),
        body: bodyOf(kind === 'order' ? 'expense' : 'order', marker, 5),
      };
      const otherwise = () => attempt(stage, name, intent, random.chance(0.3) ? isAnother : { body: bodyOf(kind, marker, 77_777) });
      journal.intents.push(intent);
      await Promise.all([
        insist(stage, name, intent, random, keys),
        // A simultaneous second try, or a mistake.
        ...(isKeyed && random.chance(0.2) ? [insist(stage, name, intent, random, keys)] : []),
        ...(isKeyed && random.chance(0.05) ? [otherwise()] : []),
      ]);
      if (isKeyed && random.chance(0.15)) await attempt(stage, name, intent);
      if (isKeyed && random.chance(0.15)) await otherwise();
      if (random.chance(0.3)) await lookAt(intent);
    },
  });
};
