import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { ApiError, createClient, verifyWebhook, type WebhookEvent, WebhookVerificationError } from '../../clients/typescript/src/index.ts';
import { endWith, findBakery } from '../demo.ts';
import { stopped } from '../stopped.ts';

const port = Number(process.env['PORT'] ?? 8080);
const longestBody = 1024 * 1024;

/**
 * Processed events, and those in progress, by id. A real receiver stores the ids with its data and
 * writes both in one transaction.
 */
const taken = new Map<string, Promise<void>>();

/** Handles the event. The response follows afterwards, so that an error causes a retry. */
const handle = async (event: WebhookEvent): Promise<void> => {
  if (event.type === 'order.created')
    console.log(`${event.data.object.friendly_order_number}: ${event.data.object.total} ${event.data.object.currency}`);
};

/** Returns the bytes as received. A body that was parsed and serialized has another signature. */
const rawBodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > longestBody) throw new RangeError('The body is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** Processes an event once, however often it arrives. A failed event may be retried. */
const take = async (event: WebhookEvent): Promise<void> => {
  const before = taken.get(event.id);
  const work = before ?? handle(event);
  taken.set(event.id, work);
  try {
    await work;
  } catch (error) {
    taken.delete(event.id);
    throw error;
  }
  console.log(before ? `${event.id} again: nothing to do` : `${event.id} ${event.type} taken`);
};

let secret = process.env['BAKERY_WEBHOOK_SECRET'] ?? '';

/** Returns the response status: 2xx accepts the event, any other status causes a retry. */
const receive = async (request: IncomingMessage): Promise<number> => {
  if (request.method !== 'POST') return 405;
  try {
    // Compares in constant time, requires t= within 300 s of now, and accepts
    // X-Webhook-Signature-Previous during a rotation.
    await take(await verifyWebhook({ rawBody: await rawBodyOf(request), headers: request.headers, secrets: secret }));
    return 204;
  } catch (error) {
    if (error instanceof RangeError) return 413;
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.log(`refused: ${error.reason}`);
    return 400;
  }
};

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    (error: unknown) => {
      console.error(error);
      response.writeHead(500).end();
    },
  );
});
server.listen(port, '127.0.0.1');
await once(server, 'listening').catch(endWith);
const address = server.address();
const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}/webhooks`;

const needsLoopback = 'The service does not deliver to this machine. Stop it and run: npm start -- --allow-loopback-webhooks';
const explained = (error: unknown): unknown =>
  error instanceof ApiError && error.status === 400 && error.field === 'url' ? needsLoopback : error;

/** Registers this receiver while it runs. Register a deployed receiver once, in the dashboard. */
const register = async (): Promise<() => Promise<unknown>> => {
  const { url: baseUrl, secretKey } = await findBakery('secretKey');
  const client = createClient({ apiKey: secretKey, baseUrl });
  const endpoint = await client.webhooks
    .create({ url, events: ['order.created', 'order.status_changed', 'expense.created'] })
    .catch((error: unknown) => endWith(explained(error)));
  secret = endpoint.secret;
  return () => client.webhooks.delete(endpoint.id);
};

const unregister = secret ? async () => {} : await register();
console.log(`Listening on ${url}`);

await stopped;
await unregister().catch((error: unknown) => console.error(String(error)));
server.close();
server.closeIdleConnections();
