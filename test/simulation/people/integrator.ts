import type { Answer, Request } from '../world/http.ts';
import type { Region, Seen } from '../world/region.ts';
import { type Intent, type Journal, madeBy } from './journal.ts';

/** An account with somebody who holds a key to it. */
export interface Tenant {
  readonly account: string;
  readonly key: string;
}

const mostTries = 6;

/** Sends a request; an answer that says a fault of the service is remembered where no accident excuses it. */
export const send = async (region: Region, journal: Journal, request: Request): Promise<Seen> => {
  const seen = await region.request(request);
  const { answer, disturbed } = seen;
  const excused = disturbed || answer === undefined || answer.status < 500;
  if (!excused) journal.outrages.push(`${request.method} ${request.path} was answered with ${answer.status}: ${answer.text}`);
  return seen;
};

const isFinal = (answer: Answer | undefined): boolean =>
  answer !== undefined && answer.status < 500 && answer.status !== 409 && answer.status !== 429;

const bodyOf = (kind: Intent['kind'], marker: string, amount: number): unknown =>
  kind === 'expense'
    ? { amount, date: '2026-03-05', category: 'ingredients', description: marker }
    : { items: [{ name: 'Cake', quantity: 1, unit_price: amount }], notes: marker };

/** An integrator's program: makes things, tries again with the same key until it knows, and now and then does what it should not. */
export const integrate = async (
  region: Region,
  journal: Journal,
  { account, key }: Tenant,
  name: string,
  actions: number,
): Promise<void> => {
  const { scheduler } = region.world;
  const { random } = scheduler;

  const attempt = async (intent: Intent, body: unknown = intent.body): Promise<Seen> => {
    const { idempotencyKey } = intent;
    const path = intent.kind === 'expense' ? '/expenses' : '/orders';
    const seen = await send(region, journal, {
      method: 'POST',
      path,
      key,
      body,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
    intent.tries.push({ body, seen });
    scheduler.note(
      name,
      `POST ${path} ${intent.marker}: ${seen.answer ? `${seen.answer.status}${seen.answer.replayed ? ' replayed' : ''}` : 'no answer'}`,
    );
    return seen;
  };

  /** Until an answer is final; without a key nobody tries again. */
  const insist = async (intent: Intent): Promise<void> => {
    for (let tries = 1; ; tries++) {
      const { answer } = await attempt(intent);
      if (isFinal(answer) || intent.idempotencyKey === undefined || tries === mostTries) return;
      await scheduler.sleep(random.below(40_000));
    }
  };

  const intend = (marker: string): Intent => {
    const kind = random.chance(0.7) ? 'expense' : 'order';
    const idempotencyKey = random.chance(0.85) ? `key-${marker}` : undefined;
    return { kind, account, marker, idempotencyKey, body: bodyOf(kind, marker, 1 + random.below(10_000) / 100), tries: [] };
  };

  const lookAt = async ({ kind, tries }: Intent): Promise<void> => {
    const id = tries.map(madeBy).find((one) => one !== undefined);
    if (id === undefined) return;
    const { answer } = await send(region, journal, { method: 'GET', path: `/${kind}s/${id}`, key });
    const excused = answer === undefined || answer.status >= 500 || answer.status === 429 || journal.touched.has(id);
    if (!excused && answer.status !== 200)
      journal.outrages.push(`GET of ${id}, which was acknowledged, was answered with ${answer.status}.`);
  };

  for (let i = 0; i < actions; i++) {
    await scheduler.sleep(random.chance(0.1) ? random.below(600_000) : random.below(5_000));
    journal.actions += 1;
    const intent = intend(`${name}-${i}`);
    const isKeyed = intent.idempotencyKey !== undefined;
    journal.intents.push(intent);
    // A second click beside the first.
    await Promise.all([insist(intent), ...(isKeyed && random.chance(0.2) ? [insist(intent)] : [])]);
    if (isKeyed && random.chance(0.15)) await attempt(intent);
    if (isKeyed && random.chance(0.1)) await attempt(intent, bodyOf(intent.kind, intent.marker, 77_777));
    if (random.chance(0.3)) await lookAt(intent);
  }
};
