import { personal } from '../../contract/specification.ts';
import type { Random } from '../scheduler/random.ts';
import type { Seen } from '../world/region.ts';
import { send } from './integrator.ts';
import { type Intent, knownCustomers, knownIds, madeRecord, remember } from './journal.ts';
import { atWork, type Stage } from './person.ts';
import { marker, newCustomer, newPerson, orderTexts } from './person-data.ts';
import { callAction, changeRecord } from './record-changes.ts';

const mostTries = 5;
/** Fields of a customer and an order that are watched from their creation on. */
const watched = {
  customer: personal.customer,
  order: ['customer_id', ...personal.order, 'total'],
  product: ['name', 'description', 'price', 'status'],
} as const;

/**
 * A clerk, who creates customers and orders and changes them, often at the same time as another
 * clerk.
 */
export const serve =
  (letter: string) =>
  async (stage: Stage): Promise<void> => {
    const { region, journal, tenant, number } = stage;
    const { account, key } = tenant;
    const { scheduler } = region.world;
    const name = `desk-${number}${letter}`;

    const watch = (
      kind: keyof typeof watched,
      record: Readonly<Record<string, unknown>>,
      span: Pick<Seen, 'begunMs' | 'endedMs'>,
    ): void => {
      const subject = String(record['id']);
      if (journal.touched.has(subject) && kind !== 'product') return;
      journal.touched.add(subject);
      const fields = Object.fromEntries(watched[kind].map((field) => [field, record[field]]));
      remember(journal, { account, subject }, fields, { ...span, acknowledged: true });
    };
    const make = async (kind: 'customer' | 'order', by: string, body: object, random: Random): Promise<void> => {
      const notes = marker(by, 'notes');
      const intent: Intent = { kind, account, marker: notes, idempotencyKey: `key-${name}-${by}`, body: { ...body, notes }, tries: [] };
      journal.intents.push(intent);
      for (let tries = 1; tries <= mostTries; tries++) {
        const { body: sent, idempotencyKey } = intent;
        const seen = await send(region, journal, {
          method: 'POST',
          path: `/${kind}s`,
          key,
          body: sent,
          idempotencyKey: String(idempotencyKey),
        });
        const one = { kind, body: sent, sentMs: seen.begunMs, seenMs: seen.endedMs, seen };
        intent.tries.push(one);
        scheduler.note(
          name,
          `POST /${kind}s ${notes}: ${seen.response?.status ?? 'no answer'}${seen.response?.replayed ? ' replayed' : ''}`,
        );
        const record = madeRecord(one);
        if (record) watch(kind, record, { begunMs: intent.tries[0]?.seen.begunMs ?? 0, endedMs: seen.endedMs });
        const isFinal = seen.response && seen.response.status < 500 && seen.response.status !== 409 && seen.response.status !== 429;
        if (isFinal) return;
        await scheduler.sleep(random.below(20_000));
      }
    };
    /** Repeats an old request with the same Idempotency-Key. */
    const askAgain = async (random: Random): Promise<void> => {
      const mine = journal.intents.filter(
        (one) => one.account === account && (one.kind === 'customer' || one.kind === 'order') && one.tries.length > 0,
      );
      if (mine.length === 0) return;
      const intent = random.pick(mine);
      if (intent.idempotencyKey === undefined) return;
      const { kind, body, idempotencyKey } = intent;
      const seen = await send(region, journal, { method: 'POST', path: `/${kind}s`, key, body, idempotencyKey });
      intent.tries.push({ kind, body, sentMs: seen.begunMs, seenMs: seen.endedMs, seen });
      scheduler.note(name, `POST /${kind}s ${intent.marker} again: ${seen.response?.status ?? 'no answer'}`);
    };
    const anyOf = (kind: Intent['kind'], random: Random): string | undefined => {
      const ids = kind === 'customer' ? knownCustomers(journal, account) : knownIds(journal, kind, account);
      // Other people also work with the last few.
      return ids.length === 0 ? undefined : random.pick(random.chance(0.6) ? ids.slice(-2) : ids);
    };
    const products = () =>
      journal.changes.flatMap(({ account: owner, subject, field }) =>
        owner === account && subject.startsWith('prd_') && field === 'price' ? [subject] : [],
      );
    const change = async (action: string, subject: string | undefined, fields: object, by: string, random: Random): Promise<void> => {
      if (subject === undefined) return;
      await changeRecord(
        stage,
        { name, action, subject, fields: { ...fields }, input: { id: subject, ...fields }, token: `token-${by}` },
        random,
      );
    };
    /** Changes two fields at the same moment; neither change may undo the other. */
    const changeAtOnce = async (kind: 'customer' | 'order', action: string, fields: readonly string[], by: string, random: Random) => {
      const subject = anyOf(kind, random);
      const first = random.below(fields.length);
      const chosen = fields.filter((_, i) => i === first || random.chance(0.3));
      await Promise.all(
        chosen.map((field) =>
          change(action, subject, { [field]: marker(by, field) }, `${by}-${field}`, scheduler.stream(`${by} changes ${field}`)),
        ),
      );
    };
    const read = async (path: string): Promise<void> => {
      const { response } = await send(region, journal, { method: 'GET', path, key });
      scheduler.note(name, `GET ${path}: ${response?.status ?? 'no answer'}`);
    };

    const actions: Readonly<Record<string, (by: string, random: Random) => Promise<void>>> = {
      async meet(by, random) {
        await make('customer', by, newCustomer(by, number, random), random);
      },
      async order(by, random) {
        const id = anyOf('customer', random);
        const person = newPerson(by, number, random);
        const customer = id !== undefined && random.chance(0.6) ? { id } : person;
        const lines = [{ name: `Cake of ${by.length}`, quantity: 1, unit_price: 1 + random.below(90), notes: marker(by, 'line') }];
        const body = { customer, items: lines, ...orderTexts(by) };
        const payments = random.chance(0.3) ? [{ amount: 1, method: 'card', status: 'completed', description: marker(by, 'payment') }] : [];
        await make('order', by, { ...body, payments, emit_webhooks: true }, random);
      },
      askAgain: (_, random) => askAgain(random),
      changeCustomer: (by, random) => changeAtOnce('customer', 'customer.update', ['phone', 'company', 'notes'], by, random),
      changeOrder: (by, random) => changeAtOnce('order', 'order.update', ['notes', 'external_id', 'delivery_address'], by, random),
      async changeExpense(by, random) {
        const fields = random.chance(0.5) ? { notes: `Note ${by}` } : { subcategory: `Sort ${by}` };
        await change('expense.update', anyOf('expense', random), fields, by, random);
      },
      async pay(by, random) {
        const order_id = anyOf('order', random);
        if (order_id === undefined) return;
        journal.touched.add(order_id);
        const description = marker(by, 'payment');
        const input = { order_id, amount: 1 + random.below(20), method: 'cash', status: 'completed', description };
        const call = { name, action: 'payment.create', subject: `pay_${by}`, fields: { description }, input, token: `token-${by}` };
        await changeRecord(stage, call, random);
      },
      async offer(by, random) {
        const input = { name: `Tart ${by}`, price: 1 + random.below(50), description: `Good ${by}` };
        const outcome = await callAction(stage, { name, action: 'product.create', input, token: `token-${by}` }, random);
        if (outcome.kind === 'done') watch('product', outcome.result, outcome);
      },
      async changeProduct(by, random) {
        const known = products();
        const fields = random.chance(0.5) ? { description: `Better ${by}` } : { price: 1 + random.below(500) };
        await change('product.update', known.length > 0 ? random.pick(known) : undefined, fields, by, random);
      },
      async withdraw(by, random) {
        const known = products();
        if (known.length === 0) return;
        const subject = random.pick(known);
        const call = {
          name,
          action: 'product.delete',
          subject,
          fields: { status: 'deleted' },
          input: { id: subject },
          token: `token-${by}`,
        };
        await changeRecord(stage, call, random);
      },
      async rename(by, random) {
        const timezone = random.pick(['UTC', 'Asia/Tokyo', 'America/Lima']);
        await Promise.all(
          Object.entries({ name: marker(by, 'account'), timezone }).map(([field, value]) => {
            const call = { name, action: 'account.update', subject: account, fields: { [field]: value }, input: { [field]: value } };
            return changeRecord(stage, { ...call, token: `token-${by}-${field}` }, scheduler.stream(`${by} changes ${field}`));
          }),
        );
      },
      async look(_, random) {
        const id = anyOf(random.pick(['customer', 'order']), random);
        if (id !== undefined) await read(`/${id.startsWith('cus_') ? 'customers' : 'orders'}/${id}`);
      },
      async list(_, random) {
        await read(random.pick(['/orders?limit=100', '/customers?limit=100', '/orders?sort=updatedAt&limit=100']));
      },
    };
    const weights = {
      ...{ meet: 5, order: 5, askAgain: 2, changeCustomer: 4, changeOrder: 3, changeExpense: 1, pay: 1 },
      ...{ offer: 2, changeProduct: 2, withdraw: 0.5, rename: 1, look: 3, list: 1 },
    };

    await atWork(stage, {
      name,
      actions: 6 + scheduler.stream(name).below(6),
      pauseMs: (random) => (random.chance(0.15) ? random.below(900_000) : random.below(4_000)),
      async act(random, action) {
        const by = `${name}-${action}`;
        // The first action creates a customer.
        await actions[action === 0 ? 'meet' : random.weighted<string>(weights)]?.(by, random);
      },
    });
  };
