import { createHash, randomUUID } from 'node:crypto';
import fastify from 'fastify';
import pg from 'pg';

/**
 * The duties of the service over PostgreSQL: key by its digest with its account, rate bucket,
 * Idempotency-Key with its stored response, expenses and orders in the shapes of the API. `node
 * server.mjs <directory of the database's socket>` prints its port and the key once it listens.
 */
const pool = new pg.Pool({ host: process.argv[2], database: 'postgres', user: 'postgres', max: 10 });
const digest = (text) => createHash('sha256').update(text).digest('base64url');
const id = (kind) => `${kind}_${randomUUID().replaceAll('-', '').slice(0, 26)}`;
const account = id('acct');
const key = `svc_sk_live_us_${'k'.repeat(43)}`;

await pool.query(`
  CREATE TABLE accounts (id text PRIMARY KEY, plan text NOT NULL, status text NOT NULL, currency text NOT NULL, next_order int NOT NULL DEFAULT 1000);
  CREATE TABLE keys (digest text PRIMARY KEY, id text NOT NULL, account text NOT NULL REFERENCES accounts, scopes text[] NOT NULL, revoked_at timestamptz);
  CREATE UNLOGGED TABLE buckets (key text, minute bigint, used int NOT NULL, PRIMARY KEY (key, minute));
  CREATE TABLE idempotency (account text, key text, body_hash text NOT NULL, status int NOT NULL, response jsonb NOT NULL, PRIMARY KEY (account, key));
  CREATE TABLE expenses (id text PRIMARY KEY, account text NOT NULL, amount numeric NOT NULL, currency text NOT NULL, category text NOT NULL, status text NOT NULL,
    supplier_id text, date bigint NOT NULL, description text, notes text, tags text[] NOT NULL, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL);
  CREATE INDEX ON expenses (account, date DESC, id);
  CREATE INDEX ON expenses (account, category, date DESC);
  CREATE INDEX ON expenses (account, updated_at DESC);
  CREATE TABLE orders (id text PRIMARY KEY, account text NOT NULL, order_number int NOT NULL, status text NOT NULL, payment_status text NOT NULL, total numeric NOT NULL,
    currency text NOT NULL, delivery_date date, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL);
  CREATE INDEX ON orders (account, created_at DESC);
  CREATE INDEX ON orders (account, status, created_at DESC);
  CREATE INDEX ON orders (account, delivery_date);
  CREATE TABLE order_items (order_id text REFERENCES orders, line int, name text NOT NULL, quantity numeric NOT NULL, unit_price numeric NOT NULL, total numeric NOT NULL,
    PRIMARY KEY (order_id, line));
`);
await pool.query(`INSERT INTO accounts VALUES ($1, 'business', 'active', 'USD')`, [account]);
await pool.query(`INSERT INTO keys VALUES ($1, $2, $3, $4)`, [digest(key), id('key'), account, ['expenses', 'orders']]);

const app = fastify();

app.decorateRequest('caller', null);
app.addHook('preHandler', async (request, reply) => {
  const presented = (request.headers.authorization ?? '').replace('Bearer ', '');
  const found = await pool.query({
    name: 'key',
    text: 'SELECT k.id, k.scopes, k.revoked_at, a.id AS account, a.plan, a.status, a.currency FROM keys k JOIN accounts a ON a.id = k.account WHERE k.digest = $1',
    values: [digest(presented)],
  });
  const [caller] = found.rows;
  if (!caller || caller.revoked_at || caller.status !== 'active' || caller.plan !== 'business')
    return reply.code(401).send({ error: 'invalid_api_key' });
  const counted = await pool.query({
    name: 'bucket',
    text: 'INSERT INTO buckets VALUES ($1, $2, 1) ON CONFLICT (key, minute) DO UPDATE SET used = buckets.used + 1 RETURNING used',
    values: [caller.id, Math.floor(Date.now() / 60_000)],
  });
  if (counted.rows[0].used > 1_000_000) return reply.code(429).send({ error: 'rate_limit_exceeded' });
  request.caller = caller;
});

const expenseView = (row) => ({
  id: row.id,
  object: 'expense',
  amount: Number(row.amount),
  currency: row.currency,
  category: row.category,
  subcategory: null,
  description: row.description,
  notes: row.notes,
  tags: row.tags,
  date: Number(row.date),
  status: row.status,
  source: 'api',
  editable: true,
  supplier: row.supplier_id ? { id: row.supplier_id } : null,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

app.get('/expenses/:id', async (request, reply) => {
  const { rows } = await pool.query({
    name: 'expense',
    text: 'SELECT * FROM expenses WHERE account = $1 AND id = $2',
    values: [request.caller.account, request.params.id],
  });
  return rows[0] ? expenseView(rows[0]) : reply.code(404).send({ error: 'not_found' });
});

app.get('/expenses', async (request) => {
  const limit = Number(request.query.limit ?? 20);
  const { rows } = await pool.query({
    name: 'expenses',
    text: 'SELECT * FROM expenses WHERE account = $1 ORDER BY date DESC, id LIMIT $2',
    values: [request.caller.account, limit + 1],
  });
  return {
    data: rows.slice(0, limit).map(expenseView),
    pagination: { has_more: rows.length > limit, next_cursor: rows[limit - 1]?.id ?? null },
  };
});

/** Returns the response stored under the key, or makes it and stores it. */
const once = async (request, reply, make) => {
  const idempotency = request.headers['idempotency-key'];
  const hash = digest(JSON.stringify(request.body));
  const client = await pool.connect();
  try {
    const stored = await client.query({
      name: 'stored',
      text: 'SELECT body_hash, status, response FROM idempotency WHERE account = $1 AND key = $2',
      values: [request.caller.account, idempotency],
    });
    if (stored.rows[0]) return reply.code(stored.rows[0].status).send(stored.rows[0].response);
    await client.query('BEGIN');
    const view = await make(client);
    await client.query({
      name: 'store',
      text: 'INSERT INTO idempotency VALUES ($1, $2, $3, 201, $4)',
      values: [request.caller.account, idempotency, hash, view],
    });
    await client.query('COMMIT');
    return reply.code(201).send(view);
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
};

app.post('/expenses', (request, reply) =>
  once(request, reply, async (client) => {
    const { amount, date, category, description = null, supplier } = request.body;
    const { rows } = await client.query({
      name: 'add expense',
      text: `INSERT INTO expenses VALUES ($1, $2, $3, $4, $5, 'submitted', $6, $7, $8, NULL, '{}', now(), now()) RETURNING *`,
      values: [
        id('exp'),
        request.caller.account,
        amount,
        request.caller.currency,
        category,
        supplier?.id ?? null,
        Date.parse(date) / 1000,
        description,
      ],
    });
    return expenseView(rows[0]);
  }),
);

app.post('/orders', (request, reply) =>
  once(request, reply, async (client) => {
    const items = request.body.items.map((item, line) => ({ id: `item_${line}`, ...item, total: item.quantity * item.unit_price }));
    const total = items.reduce((sum, item) => sum + item.total, 0);
    const numbered = await client.query({
      name: 'number',
      text: 'UPDATE accounts SET next_order = next_order + 1 WHERE id = $1 RETURNING next_order',
      values: [request.caller.account],
    });
    const order = id('ord');
    const { rows } = await client.query({
      name: 'add order',
      text: `INSERT INTO orders VALUES ($1, $2, $3, 'pending', 'pending', $4, $5, $6, now(), now()) RETURNING *`,
      values: [
        order,
        request.caller.account,
        numbered.rows[0].next_order,
        total,
        request.caller.currency,
        request.body.delivery_date ?? null,
      ],
    });
    await client.query({
      name: 'add items',
      text: 'INSERT INTO order_items SELECT $1, * FROM unnest($2::int[], $3::text[], $4::numeric[], $5::numeric[], $6::numeric[])',
      values: [
        order,
        items.map((_, line) => line),
        items.map(({ name }) => name),
        items.map(({ quantity }) => quantity),
        items.map(({ unit_price }) => unit_price),
        items.map((item) => item.total),
      ],
    });
    return { ...rows[0], total: Number(rows[0].total), object: 'order', items };
  }),
);

await app.listen({ host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ port: app.server.address().port, key }));
