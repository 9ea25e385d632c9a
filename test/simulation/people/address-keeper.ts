import type { Random } from '../scheduler/random.ts';
import type { HttpResponse } from '../world/http.ts';
import { attempt, send } from './integrator.ts';
import { type EmailAction, type Intent, knownCustomers, madeRecord, remember, type Span } from './journal.ts';
import { atWork, type Stage } from './person.ts';
import { marker, newCustomer, newPerson, orderTexts, someEmail, spelled } from './person-data.ts';
import { forget } from './privacy-officer.ts';
import { changeRecord } from './record-changes.ts';

const mostTries = 3;

interface Rejection {
  readonly error: { readonly code?: string; readonly field?: string };
}

/** Whether the response says that another customer has the email. */
const isTaken = ({ status, text }: HttpResponse): boolean => {
  if (status !== 409) return false;
  const { error } = JSON.parse(text) as Rejection;
  return error.code === 'conflict' && error.field === 'email';
};

const isFinal = (response: HttpResponse): boolean => response.status < 500 && (response.status !== 409 || isTaken(response));

/**
 * A merchant who keeps the emails of the customers: gives them new ones and other spellings, takes
 * them away and exchanges them, writes orders for an email, and searches by it.
 */
export const keepAddresses = async (stage: Stage): Promise<void> => {
  const { region, journal, tenant, number } = stage;
  const { account, key } = tenant;
  const { scheduler } = region.world;
  const name = `addresses-${number}`;

  const note = (action: Omit<EmailAction, 'account'>): void => void journal.emails.push({ account, ...action });
  const anyEmail = (random: Random): string => spelled(someEmail(number, random), random);
  /** Other people also work with the last few. */
  const anyCustomer = (random: Random): string | undefined => {
    const known = knownCustomers(journal, account);
    return known.length === 0 ? undefined : random.pick(random.chance(0.7) ? known.slice(-3) : known);
  };
  const emailOf = async (customer: string): Promise<string | null | undefined> => {
    const { response } = await send(region, journal, { method: 'GET', path: `/customers/${customer}`, key });
    return response?.status === 200 ? (JSON.parse(response.text) as { readonly email: string | null }).email : undefined;
  };
  const give = async (customer: string, email: string | null, token: string, random: Random): Promise<void> => {
    const call = { name, action: 'customer.update', subject: customer, fields: { email }, input: { id: customer, email }, token };
    const { kind, ...outcome } = await changeRecord(stage, call, random);
    if (email === null || kind === 'unknown') return;
    const { begunMs, endedMs } = outcome;
    note({ customer, email, begunMs, endedMs, outcome: 'field' in outcome && outcome.field === 'email' ? 'taken' : 'other' });
  };
  /** Records the email of a new customer. Orders change the customer's totals later. */
  const watch = ({ id, email }: Readonly<Record<string, unknown>>, span: Pick<Span, 'begunMs' | 'endedMs'>): void => {
    journal.touched.add(String(id));
    remember(journal, { account, subject: String(id) }, { email }, { ...span, acknowledged: true });
  };
  const create = async (kind: 'customer' | 'order', body: object, email: string, by: string, random: Random): Promise<void> => {
    const notes = marker(by, 'notes');
    const intent: Intent = { kind, account, marker: notes, idempotencyKey: `key-${by}`, body: { ...body, notes }, tries: [] };
    journal.intents.push(intent);
    for (let tries = 1; tries <= mostTries; tries++) {
      const seen = await attempt(stage, name, intent);
      const { response, begunMs, endedMs } = seen;
      if (response && kind === 'customer') note({ email, begunMs, endedMs, outcome: isTaken(response) ? 'taken' : 'other' });
      const made = madeRecord({ seen });
      if (kind === 'customer' && made) watch(made, { begunMs: intent.tries[0]?.seen.begunMs ?? begunMs, endedMs });
      if (response && isFinal(response)) return;
      await scheduler.sleep(random.below(20_000));
    }
  };

  const order = (by: string, email: string, random: Random): Promise<void> => {
    const items = [{ name: 'Cake', quantity: 1, unit_price: 1 + random.below(90), notes: marker(by, 'line') }];
    return create('order', { customer: { ...newPerson(by, number, random), email }, items, ...orderTexts(by) }, email, by, random);
  };

  const actions: Readonly<Record<string, (by: string, random: Random) => Promise<void>>> = {
    async meet(by, random) {
      const email = anyEmail(random);
      await create('customer', { ...newCustomer(by, number, random), email }, email, by, random);
    },
    order: (by, random) => order(by, anyEmail(random), random),
    /** A customer who orders, and asks at the same moment to be erased. */
    async leave(by, random) {
      const customer = anyCustomer(random);
      const email = customer === undefined ? undefined : await emailOf(customer);
      if (customer === undefined || !email) return;
      const leaving = scheduler.stream(`${by} leaves`);
      await Promise.all([
        order(by, spelled(email, random), random),
        scheduler.sleep(leaving.below(80)).then(() => forget(stage, name, customer, leaving)),
      ]);
    },
    async change(by, random) {
      const customer = anyCustomer(random);
      if (customer !== undefined) await give(customer, anyEmail(random), by, random);
    },
    async free(by, random) {
      const customer = anyCustomer(random);
      if (customer !== undefined) await give(customer, null, by, random);
    },
    async spell(by, random) {
      const customer = anyCustomer(random);
      const email = customer === undefined ? undefined : await emailOf(customer);
      if (customer !== undefined && email) await give(customer, spelled(email, random), by, random);
    },
    /** Takes the email of one customer away, gives it to another, and the other's to the first. */
    async swap(by, random) {
      const [one, other] = [anyCustomer(random), anyCustomer(random)];
      if (one === undefined || other === undefined || one === other) return;
      const [first, second] = [await emailOf(one), await emailOf(other)];
      if (!first || second === undefined) return;
      await give(one, null, `${by}-free`, random);
      await give(other, spelled(first, random), `${by}-other`, random);
      if (second !== null) await give(one, spelled(second, random), `${by}-one`, random);
    },
    async search(_, random) {
      const email = anyEmail(random);
      const { response, begunMs, endedMs } = await send(region, journal, {
        ...{ method: 'GET', path: `/customers?email=${encodeURIComponent(email)}`, key },
      });
      scheduler.note(name, `GET /customers?email=${email}: ${response?.status ?? 'no answer'}`);
      if (response?.status !== 200) return;
      const { data } = JSON.parse(response.text) as { readonly data: readonly { readonly id: string }[] };
      note({ email, begunMs, endedMs, outcome: 'searched', found: data.map(({ id }) => id) });
    },
  };
  const weights = { meet: 2, order: 3, change: 3, free: 1, spell: 2, swap: 2, search: 3, leave: 0.7 };

  await atWork(stage, {
    name,
    actions: 5 + scheduler.stream(name).below(8),
    pauseMs: (random) => (random.chance(0.15) ? random.below(900_000) : random.below(6_000)),
    // The first action creates a customer.
    act: async (random, action) =>
      void (await actions[action === 0 ? 'meet' : random.weighted<string>(weights)]?.(`${name}-${action}`, random)),
  });
};
