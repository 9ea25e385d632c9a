import type { Random } from '../scheduler/random.ts';
import type { Answer, Request } from '../world/http.ts';
import type { Region, Seen } from '../world/region.ts';
import { type Intent, type Journal, madeBy } from './journal.ts';
import { atWork, type Stage } from './person.ts';
import { witness } from './witness.ts';

const mostTries = 6;

/** Sends a request; an answer that says a fault of the service is remembered where no accident excuses it. */
export const send = async (region: Region, journal: Journal, request: Request): Promise<Seen> => {
  const seen = await region.request(request);
  const { answer, disturbed } = seen;
  witness(journal, request, seen);
  const excused = disturbed || answer === undefined || answer.status < 500;
  if (!excused) journal.outrages.push(`${request.method} ${request.path} was answered with ${answer.status}: ${answer.text}`);
  return seen;
};

const isFinal = (answer: Answer | undefined): boolean =>
  answer !== undefined && answer.status < 500 && answer.status !== 409 && answer.status !== 429;

const bodyOf = (kind: 'expense' | 'order', marker: string, amount: number): unknown =>
  kind === 'expense'
    ? { amount, date: '2026-03-05', category: 'ingredients', description: marker }
    : { items: [{ name: 'Cake', quantity: 1, unit_price: amount }], notes: marker };

/** An integrator's program: makes things, tries again with the same key until it knows, and now and then does what it should not. */
export const integrate = async (stage: Stage): Promise<void> => {
  const { region, journal, tenant } = stage;
  const { account, key } = tenant;
  const { scheduler } = region.world;
  const name = `app-${stage.number}`;

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
  const insist = async (intent: Intent, random: Random): Promise<void> => {
    for (let tries = 1; ; tries++) {
      const { answer } = await attempt(intent);
      if (isFinal(answer) || intent.idempotencyKey === undefined || tries === mostTries) return;
      await scheduler.sleep(random.below(40_000));
    }
  };

  const intend = (marker: string, random: Random): Intent & { readonly kind: 'expense' | 'order' } => {
    const kind = random.chance(0.7) ? 'expense' : 'order';
    const idempotencyKey = random.chance(0.85) ? `key-${marker}` : undefined;
    return { kind, account, marker, idempotencyKey, body: bodyOf(kind, marker, 1 + random.below(10_000) / 100), tries: [] };
  };

  const lookAt = async ({ kind, tries }: Intent): Promise<void> => {
    const id = tries.map(madeBy).find((one) => one !== undefined);
    if (id === undefined) return;
    const { answer } = await send(region, journal, { method: 'GET', path: `/${kind}s/${id}`, key });
    const excused = answer?.status !== 404 || journal.touched.has(id);
    if (!excused) journal.outrages.push(`GET of ${id}, which was acknowledged, was answered with 404.`);
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
      await Promise.all([insist(intent, random), ...(isKeyed && random.chance(0.2) ? [insist(intent, random)] : [])]);
      if (isKeyed && random.chance(0.15)) await attempt(intent);
      if (isKeyed && random.chance(0.1)) await attempt(intent, bodyOf(intent.kind, intent.marker, 77_777));
      if (random.chance(0.3)) await lookAt(intent);
    },
  });
};
