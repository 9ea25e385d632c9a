import { createInterface } from 'node:readline';

/** Passes deliveries to the samples in the working folder, and prints the status of each: a line of JSON in, a line out. */
interface Delivery {
  readonly base64: string;
  readonly headers: Record<string, string>;
  readonly secret: string;
}

const here = (file: string) => import(`${process.cwd()}/${file}`);
const url = `http://127.0.0.1:${process.env['PORT']}/webhooks`;
const statusOf = (response: Response) => response.status;
const requestOf = ({ base64, headers }: Delivery) => new Request(url, { method: 'POST', body: Buffer.from(base64, 'base64'), headers });

/** How each framework calls its handler. */
const frameworks: Readonly<Record<string, () => Promise<(delivery: Delivery) => Promise<number>>>> = {
  async express() {
    await here('express.ts');
    return (delivery) => fetch(requestOf(delivery)).then(statusOf);
  },
  async hono() {
    const { default: app } = await here('hono.ts');
    return async (delivery) => statusOf(await app.fetch(requestOf(delivery)));
  },
  async next() {
    const { POST } = await here('route.ts');
    return async (delivery) => statusOf(await POST(requestOf(delivery)));
  },
  async lambda() {
    const { handler } = await here('lambda.ts');
    return async ({ base64, headers }) => (await handler({ body: base64, isBase64Encoded: true, headers })).statusCode;
  },
};

const send = await frameworks[process.argv[2] ?? '']?.();
// The samples print the type of each event.
const print = (line: string) => process.stdout.write(`${line}\n`);
console.log = () => {};
for await (const line of createInterface(process.stdin)) {
  const delivery: Delivery = JSON.parse(line);
  process.env['BAKERY_WEBHOOK_SECRET'] = delivery.secret;
  print(String(await send?.(delivery)));
}
process.exit();
