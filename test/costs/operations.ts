import { createHash, randomBytes } from 'node:crypto';
import { randomId } from '../../shared/core/ids.ts';
import type { Random } from '../../shared/core/random.ts';
import { slotsPerEndpoint } from '../../shared/domain/webhook/record.ts';
import { startDashboard } from '../actions/dashboard.ts';
import { openCounter } from '../checkout-page/page.ts';
import { openShop } from '../orders/shop.ts';
import { createPipeline, type Pipeline } from '../support/pipeline.ts';
import { type ReceiverResponse, startReceiver } from '../support/receiver.ts';
import { createEndpoint, writeExpense } from '../support/records.ts';
import { sampleProduct } from '../support/requests.ts';
import { orderItemOf, writeCustomer, writeOrder } from '../support/shop.ts';
import { startWorld, type World } from '../support/world.ts';
import { createMeter, type Meter, type Operation } from './meter.ts';
import { measureOtherRoutes, request } from './routes.ts';

/** An nginx error page for a server that is down. */
export const gatewayPage = [
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>',
  '\r\n<hr><center>nginx/1.24.0 (Ubuntu)</center>\r\n</body>\r\n</html>\r\n',
].join('');

const twenty = 20;
const ten = 10;

/** Five items with prices in the body. */
export const fiveItems = ['Sourdough', 'Rye', 'Brioche', 'Croissant', 'Tart'].map((name, i) => ({
  name,
  quantity: i + 1,
  unit_price: 4.5 + i,
}));
const keyed = () => ({ 'Idempotency-Key': crypto.randomUUID() });
const expense = { amount: 12.5, date: '2026-03-05', category: 'ingredients', description: 'Rye and wheat flour' };
export const person = (email: string) => ({ first_name: 'Ada', last_name: 'Baker', email, phone: '+1 555 0100' });

const requests = async (world: World): Promise<Operation[]> => {
  const meter = createMeter(world);
  const { account, key } = await openShop(world);
  const limited = await openShop(world, { order_limit: 1_000 });
  const publishable = await world.createKey(account, { type: 'publishable' });
  await world.store.commit([world.store.products.createWrite(account, sampleProduct(world.clock.now(), { id: 'prd_shown' }))]);
  const post = (path: string, body: object, by = key) => world.request('POST', path, { key: by, body, headers: keyed() });
  const get = (path: string, by = key) => world.request('GET', path, { key: by });
  for (let i = 0; i <= twenty; i++) {
    world.clock.advance(1_000);
    await post('/expenses', expense);
    await post('/orders', { items: fiveItems, customer: person('ada@example.com'), delivery_date: '2026-04-01' });
  }
  const [{ id: expenseId }] = (await get('/expenses?limit=1')).body.data;
  const [{ id: orderId, customer_id: customerId }] = (await get('/orders?limit=1')).body.data;
  const cursor = (await get(`/expenses?limit=1`)).body.pagination.next_cursor;
  let people = 0;
  const newcomer = () => person(`person${++people}@example.com`);
  const order = (fields: object, by = key) => post('/orders', { items: fiveItems, delivery_date: '2026-04-01', ...fields }, by);
  const orders = 'POST /api/v2/orders';
  // A bucket allows a hundred writes per minute.
  world.clock.advance(60_000);
  return [
    await request(meter, 'expenses', 'GET by id', 'GET /api/v2/expenses/{id}', () => get(`/expenses/${expenseId}`)),
    await request(meter, 'orders', 'GET an order', 'GET /api/v2/orders/{id}', () => get(`/orders/${orderId}`)),
    await request(meter, 'products', 'GET a product, publishable key', 'GET /api/v2/products/{id}', () =>
      get('/products/prd_shown', publishable),
    ),
    await request(meter, 'expenses', 'GET 20 expenses', 'GET /api/v2/expenses', () => get(`/expenses?limit=${twenty}`)),
    await request(meter, 'expenses', 'GET 20 behind a cursor', 'GET /api/v2/expenses', () =>
      get(`/expenses?limit=${twenty}&cursor=${cursor}`),
    ),
    await request(meter, 'orders', 'GET 20 orders', 'GET /api/v2/orders', () => get(`/orders?limit=${twenty}`)),
    await request(meter, 'expenses', 'POST /expenses', 'POST /api/v2/expenses', () => post('/expenses', expense)),
    await request(meter, 'expenses', 'POST /expenses, supplier', 'POST /api/v2/expenses', () =>
      post('/expenses', { ...expense, supplier: { id: 'sup_1', name: 'Mill' } }),
    ),
    await request(meter, 'customers', 'POST /customers', 'POST /api/v2/customers', () => post('/customers', newcomer())),
    await request(meter, 'orders', 'POST /orders, walk-in', orders, () => order({})),
    await request(meter, 'orders', 'POST /orders, known customer', orders, () => order({ customer: { id: customerId } })),
    await request(meter, 'orders', 'POST /orders, new customer, payment', orders, () =>
      order({ customer: newcomer(), payments: [{ amount: 10, method: 'card' }] }),
    ),
    await request(meter, 'orders', 'POST /orders, walk-in, order limit', orders, () => order({}, limited.key)),
    ...(await checkouts(world, meter)),
  ];
};

const checkouts = async (world: World, meter: Meter): Promise<Operation[]> => {
  const counter = await openCounter(world);
  const next = await openCounter(world, { shop: counter.shop, fields: { customer: person('shopper@example.com') } });
  await counter.pay('4242 4242 4242 4242');
  const pay = async () => {
    const { status, text } = await next.pay('4242 4242 4242 4242');
    if (status !== 303) throw new Error(`The payment was answered with ${status}: ${text}`);
  };
  return [
    await request(meter, 'checkout', 'POST /checkout', 'POST /api/v2/checkout', () => counter.shop.open()),
    {
      title: 'a checkout is paid, new customer',
      route: 'POST /checkout/{account}/{session}/pay',
      invocations: [await meter.run('checkout-page', pay)],
      count: 1,
    },
  ];
};

/** A status change in the dashboard, which calls no gateway. */
const updates = async (): Promise<Operation[]> => {
  const dashboard = await startDashboard();
  try {
    const account = await dashboard.openAccount();
    const customer = await writeCustomer(dashboard.services, account, person('ada@example.com'));
    const id = randomId('ord', dashboard.clock.now());
    const items = fiveItems.map((item, i) => orderItemOf({ ...item, id: `${id}_${i + 1}`, total: item.quantity * item.unit_price }));
    await writeOrder(dashboard.services, account, { id, items, delivery_date: '2026-04-01' }, customer);
    const update = async (status: string) => {
      dashboard.clock.advance(1_000);
      await dashboard.act('order.set_status', account, { id, status });
    };
    await update('confirmed');
    const meter = createMeter({ ...dashboard, log: dashboard.lines });
    return [{ title: 'an order gets another status', invocations: [await meter.run('actions', () => update('ready'))], count: 1 }];
  } finally {
    await dashboard.stop();
  }
};

/**
 * Answers an endpoint's requests in order. Each response waits until the attempt that takes the
 * previous one's slot has arrived.
 */
const respondInOrder = (count: number): ((request: number) => Promise<ReceiverResponse>) => {
  const arrivals = Array.from({ length: count + 1 }, () => Promise.withResolvers<void>());
  return async (request) => {
    arrivals[request]?.resolve();
    await arrivals[Math.min(request + slotsPerEndpoint - 1, count)]?.promise;
    return 200;
  };
};

const deliveries = async (world: World, pipeline: Pipeline, receiver: Awaited<ReturnType<typeof startReceiver>>): Promise<Operation[]> => {
  const meter = createMeter(world, pipeline);
  const change = async (count: number, receiverResponse: ReceiverResponse = 200) => {
    await pipeline.clear();
    const { id } = await world.createAccount();
    const hook = receiver.hook(receiverResponse);
    await createEndpoint(world, id, hook.url, { id: world.services.newId('whe', world.clock.now()) });
    for (let i = 0; i < count; i++) await writeExpense(world, id, { id: world.services.newId('exp', world.clock.now()) });
    const changes = (await pipeline.changes()).map((change, i) => ({
      ...change,
      eventID: `change-${i}`,
      dynamodb: { ...change.dynamodb, ApproximateCreationDateTime: world.clock.now() / 1000 },
    }));
    return { hook, fanOut: await meter.run('fan-out', () => pipeline.fanOut(changes)) };
  };
  const deliver = () => {
    const messages = pipeline.receive();
    return meter.run('deliver', () => pipeline.deliver(messages));
  };
  // The first request connects first.
  await change(1);
  await deliver();
  const alone = { title: 'a delivery alone', invocations: [(await change(1)).fanOut, await deliver()], count: 1 };
  const [oneFanOut, oneDeliver] = alone.invocations;
  const { hook, fanOut } = await change(ten);
  // If a receiver responds to all at once, chance decides which attempts read together.
  hook.respondWith(respondInOrder(ten));
  const many = [fanOut, await deliver()] as const;
  // Attempts on different slots do not wait for each other, although their calls are sequential:
  // each slot runs its own attempts in turn.
  const rounds = ten / slotsPerEndpoint;
  const inTens = {
    title: 'a delivery, ten in one invocation',
    invocations: [
      { ...many[0], trips: oneFanOut?.trips ?? 0 },
      {
        ...many[1],
        trips: rounds * (oneDeliver?.trips ?? 0),
        posts: rounds,
      },
    ],
    count: ten,
  };
  /** The first attempt's response stays in the record until the second succeeds. */
  const secondTry = async (title: string, body: string | Uint8Array): Promise<Operation> => {
    const { hook, fanOut } = await change(1, { status: 502, headers: { 'content-type': 'text/html' }, body });
    const failed = await deliver();
    hook.respondWith(200);
    world.clock.advance(5 * 60_000);
    return { title, invocations: [fanOut, failed, await deliver()], count: 1 };
  };
  return [
    alone,
    inTens,
    await secondTry('a delivery that succeeds at the second attempt', gatewayPage),
    await secondTry('the same after a response of 1,000 incompressible bytes', randomBytes(1_000)),
  ];
};

/** The same ids in each run, because they change the deflated size of a stored body. */
const repeatableRandom = (): Random => {
  let count = 0;
  const bytes = (outputLength: number) => createHash('shake256', { outputLength }).update(String(count++)).digest();
  return { bytes, fraction: () => bytes(1).readUInt8() / 256 };
};

/** Measures every operation, each on a service of its own. Takes about three seconds. */
export const measureOperations = async (): Promise<readonly Operation[]> => {
  const world = await startWorld({ random: repeatableRandom() });
  const receiver = await startReceiver();
  const pipeline = createPipeline(world);
  try {
    const ownRequests = await requests(world);
    const others = await measureOtherRoutes(world, ownRequests);
    return [...ownRequests, ...others, ...(await updates()), ...(await deliveries(world, pipeline, receiver))];
  } finally {
    pipeline.close();
    await receiver.stop();
    await world.stop();
  }
};
