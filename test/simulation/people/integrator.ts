import type { Random } from '../scheduler/random.ts';
import type { Answer, Request } from '../world/http.ts';
import type { Region, Seen } from '../world/region.ts';
import { type Intent, type Journal, madeBy } from './journal.ts';
import { atWork, type Stage } from './person.ts';
import { customerOf, type Shop } from './storefront.ts';

const mostTries = 6;

/** Sends a request; an answer that says a fault of the service is remembered where no accident excuses it. */
export const send = async (region: Region, journal: Journal, request: Request): Promise<Seen> => {
  const sentMs = region.world.scheduler.now();
  const seen = await region.request(request);
  journal.traffic.push({ ...seen, request, sentMs, endedMs: region.world.scheduler.now() });
  const { answer, disturbed } = seen;
  const excused = disturbed || answer === undefined || answer.status < 500;
  if (!excused) journal.outrages.push(`${request.method} ${request.path} was answered with ${answer.status}: ${answer.text}`);
  return seen;
};

const isFinal = (answer: Answer | undefined): boolean =>
  answer !== undefined && answer.status < 500 && answer.status !== 409 && answer.status !== 429;

const expenseBody = (marker: string, amount: number): unknown => ({
  ...{ amount, date: '2026-03-05', category: 'ingredients', description: marker },
});

const orderBody = (marker: string, amount: number, { products }: Shop, random: Random): unknown => ({
  items: [
    random.chance(0.7) ? { name: 'Cake', quantity: 1, unit_price: amount } : { product_id: random.pick(products), quantity: 1 },
    ...(random.chance(0.2) ? [{ name: 'Candle', quantity: 3, unit_price: 0.1 }] : []),
  ],
  notes: marker,
  ...(random.chance(0.6) ? { customer: customerOf(random) } : {}),
  ...(random.chance(0.1) ? { currency: 'EUR' } : {}),
  ...(random.chance(0.2) ? { payments: [{ amount, method: 'cash', status: 'completed' }] } : {}),
});

/** Who makes something, and with which key. */
export interface Maker extends Pick<Stage, 'region' | 'journal'> {
  readonly name: string;
  readonly key: string;
}

const paths: Readonly<Record<Intent['kind'], string>> = { expense: '/expenses', order: '/orders', session: '/checkout' };

const attempt = async ({ region, journal, name, key }: Maker, intent: Intent, body: unknown = intent.body): Promise<Seen> => {
  const { idempotencyKey, kind, marker } = intent;
  const path = paths[kind];
  const request = { method: 'POST', path, key, body, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) } as const;
  const seen = await send(region, journal, request);
  intent.tries.push({ body, seen });
  const outcome = seen.answer ? `${seen.answer.status}${seen.answer.replayed ? ' replayed' : ''}` : 'no answer';
  region.world.scheduler.note(name, `POST ${path} ${marker}: ${outcome}`);
  return seen;
};

/** Until an answer is final; without a key nobody tries again. */
export const insist = async (maker: Maker, intent: Intent, random: Random): Promise<void> => {
  for (let tries = 1; ; tries++) {
    const { answer } = await attempt(maker, intent);
    if (isFinal(answer) || intent.idempotencyKey === undefined || tries === mostTries) return;
    await maker.region.world.scheduler.sleep(random.below(40_000));
  }
};

/** An integrator's program: makes things, tries again with the same key until it knows, and now and then does what it should not. */
export const integrate = async (stage: Stage): Promise<void> => {
  const { region, journal, tenant } = stage;
  const { account, key } = tenant;
  const { scheduler } = region.world;
  const name = `app-${stage.number}`;
  const maker: Maker = { region, journal, name, key };

  const intend = (marker: string, random: Random): Intent => {
    const kind = random.chance(0.7) ? 'expense' : 'order';
    const idempotencyKey = random.chance(0.85) ? `key-${marker}` : undefined;
    const amount = 1 + random.below(10_000) / 100;
    const body = kind === 'expense' ? expenseBody(marker, amount) : orderBody(marker, amount, tenant.shop, random);
    return { kind, account, marker, idempotencyKey, body, tries: [] };
  };

  const lookAt = async ({ kind, tries }: Intent): Promise<void> => {
    const id = tries.map(madeBy).find((one) => one !== undefined);
    if (id === undefined) return;
    const { answer } = await send(region, journal, { method: 'GET', path: `/${kind}s/${id}`, key });
    const excused = answer === undefined || answer.status >= 500 || [403, 429].includes(answer.status) || journal.touched.has(id);
    if (!excused && answer.status !== 200)
      journal.outrages.push(`GET of ${id}, which was acknowledged, was answered with ${answer.status}.`);
  };

  await atWork(stage, {
    name,
    deeds: 10 + scheduler.stream(name).below(10),
    pauseMs: (random) => (random.chance(0.1) ? random.below(600_000) : random.below(5_000)),
    async act(random, deed) {
      const intent = intend(`${name}-${deed}`, random);
      const isKeyed = intent.idempotencyKey !== undefined;
      journal.intents.push(intent);
      // A second click beside the first.
      await Promise.all([insist(maker, intent, random), ...(isKeyed && random.chance(0.2) ? [insist(maker, intent, random)] : [])]);
      if (isKeyed && random.chance(0.15)) await attempt(maker, intent);
      if (isKeyed && random.chance(0.1)) await attempt(maker, intent, { ...(intent.body as object), currency: 'CAD' });
      if (random.chance(0.3)) await lookAt(intent);
    },
  });
};
