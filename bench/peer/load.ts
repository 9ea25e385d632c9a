import { Agent, request } from 'node:http';

/** A service under load, and keys that take turns so that none reaches its limit. */
export interface Target {
  readonly port: number;
  readonly prefix: string;
  readonly keys: readonly string[];
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });
let turn = 0;

/** Sends a request over a kept connection. Throws if the status is not 2xx. */
export const ask = (target: Target, method: 'GET' | 'POST', path: string, body?: object): Promise<{ readonly id?: string }> =>
  new Promise((resolve, reject) => {
    const text = body && JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${target.keys[turn++ % target.keys.length]}`,
      ...(text
        ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), 'idempotency-key': crypto.randomUUID() }
        : {}),
    };
    const sent = request({ agent, host: '127.0.0.1', port: target.port, method, path: target.prefix + path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const answer = Buffer.concat(chunks).toString();
        if ((response.statusCode ?? 500) < 300) resolve(JSON.parse(answer));
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${answer}`));
      });
    });
    sent.once('error', reject);
    sent.end(text);
  });

const items = ['Sourdough', 'Rye', 'Brioche', 'Croissant', 'Tart'].map((name, i) => ({ name, quantity: i + 1, unit_price: 4.5 + i }));
const expense = {
  amount: 12.5,
  date: '2026-03-05',
  category: 'ingredients',
  description: 'Rye and wheat flour',
  supplier: { id: 'sup_1', name: 'Mill' },
};

export const writeExpense = (target: Target) => ask(target, 'POST', '/expenses', expense);

/** The operations to compare, each the same number of times, so many at once. */
export const operations: Readonly<Record<string, (target: Target, id: string) => ReturnType<typeof ask>>> = {
  GET: (target: Target, id: string) => ask(target, 'GET', `/expenses/${id}`),
  'LIST 20': (target: Target) => ask(target, 'GET', '/expenses?limit=20'),
  'POST expense + key': writeExpense,
  'POST order of 5 + key': (target: Target) => ask(target, 'POST', '/orders', { items, delivery_date: '2030-03-14' }),
};

export const repeat = async (count: number, atOnce: number, run: () => Promise<unknown>): Promise<void> => {
  let left = count;
  const work = async (): Promise<void> => {
    while (left-- > 0) await run();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
};

export const closeLoad = (): void => agent.destroy();
