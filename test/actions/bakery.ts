import { randomUUID } from 'node:crypto';
import type { ActionServices } from '../../functions/actions/action.ts';
import { type ActionResponse, actions } from '../../functions/actions/app.ts';
import { openLocalRequestLog } from '../../local/log.ts';
import { cause, causes, type Made, samplesOn, type Writer } from '../../ops/event-causes.ts';
import { customerInputSchema } from '../../shared/domain/customer/input.ts';
import { eventTypes } from '../../shared/domain/event/types.ts';
import { openShop, type Shop, shopSettings, thursday } from '../checkout/shop.ts';
import { approveCard, openCounter } from '../checkout-page/page.ts';
import { context } from '../support/context.ts';
import { openOperatedQueues } from '../support/operated-queues.ts';
import { allItems, details, keysContaining, marked, person } from '../support/person.ts';
import { createPipeline, type Pipeline } from '../support/pipeline.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startWorld, type TestResponse, type World } from '../support/world.ts';

/** The whole service of a region: API, hosted page, deliveries and dashboard actions. */
export interface Service {
  readonly world: World;
  readonly pipeline: Pipeline;
  readonly receiver: Receiver;
  /** Returns the response of a dashboard action; each call has a new token. */
  call(action: string, account: string | undefined, input?: unknown): Promise<ActionResponse>;
  /** Returns the result of a dashboard action; throws if the action fails. */
  act(action: string, account: string | undefined, input?: unknown, token?: string): Promise<Record<string, any>>;
  /**
   * Returns the keys of every stored item of the account that contains any of the texts, after all
   * changes, also parked ones, became events and deliveries. Every test of an erasure looks at it.
   */
  keysContaining(account: string, texts: readonly string[]): Promise<readonly string[]>;
  /** Returns the error of an action that fails. */
  errorOf(action: string, account: string, input?: unknown): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

/** Uses a new world, or the given one, which it does not stop. */
export const startBakeries = async (
  sharedWorld?: World,
  more: Partial<Pick<ActionServices, 'secrets' | 'stripeApi'>> = {},
): Promise<Service> => {
  const [world, receiver] = await Promise.all([sharedWorld ?? startWorld({ notices: true }), startReceiver()]);
  const pipeline = createPipeline(world, async ({ action, account, input }) => void (await run({ action, account, input }, context)));
  const operated = await openOperatedQueues(world.clock);
  const run = actions({
    ...world.services,
    ...more,
    queue: pipeline.queue,
    queues: operated.queues,
    requestLog: openLocalRequestLog(world.clock),
    parking: { fetch: async (key) => pipeline.parked.get(key) },
    replay: async (json) => void (await pipeline.fanOut([JSON.parse(json)])),
  });
  const call = (action: string, account: string | undefined, input: unknown = {}, token: string = randomUUID()) =>
    run({ action, input, token, ...(account === undefined ? {} : { account }) }, context);
  return {
    world,
    pipeline,
    receiver,
    call,
    async act(action, account, input, token) {
      const response = await call(action, account, input, token);
      if (!response.ok) throw new Error(`${action} was refused: ${JSON.stringify(response.body)}`);
      return response.result as Record<string, any>;
    },
    async keysContaining(account, texts) {
      await pipeline.drain();
      for (const json of pipeline.parked.values()) await pipeline.fanOut([JSON.parse(json)]);
      await pipeline.drain();
      return keysContaining(await allItems(world, account), texts);
    },
    async errorOf(action, account, input) {
      const response = await call(action, account, input);
      if (response.ok) throw new Error(`${action} succeeded: ${JSON.stringify(response.result)}`);
      return { status: response.status, ...response.body.error };
    },
    async stop() {
      pipeline.close();
      await Promise.all([receiver.stop(), Promise.resolve(operated.close())]);
      if (!sharedWorld) await world.stop();
    },
  };
};

/** An account with a person's details in every field that can hold them. */
export interface Bakery {
  readonly shop: Shop;
  readonly account: string;
  readonly customer: string;
  /** Orders by how they were created. */
  readonly orders: Readonly<Record<'api' | 'deleted' | 'checkout', string>>;
  readonly openSession: string;
  readonly loosePayment: string;
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<TestResponse>;
}

const payments = [
  {
    amount: 10,
    method: 'card',
    status: 'completed',
    description: 'visa-der-dame',
    method_details: { brand: 'visa-der-dame', last4: '5550199' },
  },
];

/** Creates the customer, or returns the stored response if the customer was created before. */
export const createPerson = (call: Bakery['call']): Promise<TestResponse> =>
  call(
    'POST',
    '/customers',
    { ...marked(customerInputSchema, { ...person, ...details }), tags: ['nachtfalter'], custom_fields: { engraving: 'Für Zerlinde' } },
    { 'Idempotency-Key': 'customer' },
  );

const byHand: readonly string[] = ['customer', 'order', 'payment', 'product'];

/** Creates one of each other record that sends an event on creation. */
const makeTheRest = async (act: Writer['act'], call: Bakery['call']) => {
  const create: Writer['create'] = async (what, body) => ({ id: (await call('POST', `/${what}s`, body)).body.id });
  const made: Made = {};
  for (const type of eventTypes)
    if (!byHand.includes(type.split('.')[0] ?? '') && causes[type].after === undefined)
      await cause(type, { act, create }, samplesOn(Date.parse(thursday)), made);
};

const fill = async ({ world, act, receiver }: Service): Promise<Bakery> => {
  const shop = await openShop(world, {
    settings: { ...shopSettings, custom_fields: [{ id: 'cf_1', key: 'engraving', scopes: ['order', 'customer'] }] },
  });
  const account = shop.account.id;
  const call: Bakery['call'] = (method, path, body, headers) =>
    world.request(method, path, { key: shop.secretKey, ...(body === undefined ? {} : { body }), ...(headers ? { headers } : {}) });
  // Within seven days of its end, which stores a notice.
  await world.createKey(account, { expires_at: new Date(world.clock.now() + 86_400_000).toISOString() });
  const types = ['customer.created', 'customer.updated', 'order.created', 'order.updated', 'order.deleted', 'payment.created'];
  for (const receiverResponse of [200, 'echo'] as const) {
    const made = await call('POST', '/webhooks', { url: receiver.hook(receiverResponse).url, events: types });
    if (made.status !== 201) throw new Error(made.text);
  }

  const { body: customer } = await createPerson(call);
  const order = {
    customer: { id: customer.id },
    items: [{ name: `Cake for ${person.first_name} ${person.last_name}`, quantity: 1, unit_price: 40, notes: details.notes }],
    payments,
    emit_webhooks: true,
    delivery_address: details.address,
    custom_fields: { engraving: 'Für Zerlinde' },
    notes: details.notes,
    external_id: details.external_id,
    metadata: details.metadata,
  };
  const { body: api } = await call('POST', '/orders', order, { 'Idempotency-Key': 'order' });
  const waiting = payments.map((payment) => ({ ...payment, status: 'pending' }));
  const { body: deleted } = await call('POST', '/orders', { ...order, status: 'quote', payments: waiting });
  await act('customer.update', account, { id: customer.id, notes: details.notes });
  await act('order.set_status', account, { id: api.id, status: 'confirmed' });
  await act('order.delete', account, { id: deleted.id });

  const cart = { customer: person, delivery_type: 'dispatch', delivery_address: details.address, notes: details.notes };
  const fields = {
    ...cart,
    cancel_url: 'https://shop.example.com/cart?for=zerlinde',
    custom_fields: { engraving: 'Zerlinde' },
    external_id: details.external_id,
    metadata: details.metadata,
  };
  const counter = await openCounter(world, { shop, fields });
  // The day's fees are in another currency, so the checkout's fee is stored apart.
  const fee = { order_id: api.id, order_label: `Cake of ${person.first_name} ${person.last_name}`, gateway: 'stripe', amount: 29 };
  await act('account.update', account, { id: account, currency: 'JPY' });
  await act('gateway_fee.record', account, { ...fee, date: new Date(world.clock.now()).toISOString().slice(0, 10) });
  await act('account.update', account, { id: account, currency: 'USD' });
  await counter.pay(approveCard);
  const { order_id } = await counter.session();
  const { body: open } = await shop.open(fields);
  await makeTheRest(async (action, input) => ({ id: (await act(action, account, input))['id'] }), call);
  const loose = { customer_id: customer.id, amount: 5, method: 'cash', status: 'completed', description: 'visa-der-dame' };
  const { id: loosePayment = '' } = await act('payment.create', account, loose);
  return {
    shop,
    account,
    customer: customer.id,
    orders: { api: api.id, deleted: deleted.id, checkout: order_id ?? '' },
    openSession: open.id,
    loosePayment,
    call,
  };
};

/** Some deliveries are done; others wait for their second attempt. */
export const openBakery = async (service: Service): Promise<Bakery> => {
  const bakery = await fill(service);
  await service.pipeline.drain();
  return bakery;
};
