import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Runtime, startRuntime } from '../../local/runtime.ts';
import { ops } from '../../ops/main.ts';
import { hangUp } from '../support/hang-up.ts';
import { actIn, eventually } from '../support/journey.ts';
import { usesPrograms } from '../support/programs.ts';
import { openExample, startExample } from './example.ts';

let runtime: Runtime;
beforeAll(async () => {
  runtime = await startRuntime({ regions: ['us'], seed: true, allowLoopbackWebhooks: true });
});
afterAll(() => runtime.stop());

const trigger = (type: string) =>
  ops(['trigger', type, '--port', String(runtime.port)], { env: {}, stdin: Readable.from([]), stdout: () => {}, stderr: () => {} });
const demo = (action: string, input: unknown = {}) => actIn(runtime, 'us', action, input, String(runtime.demo.us?.account));

const inNode = { name: 'Node', command: process.execPath, file: 'examples/webhook-receiver-node/receiver.ts' };
const inPython = { name: 'Python', command: 'python3', file: 'examples/webhook-receiver-python/receiver.py' };

describe.each(usesPrograms ? [inPython] : [inNode])('the receiver in $name', ({ name, command, file }) => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    `the receiver in ${name} registers itself, accepts deliveries, and leaves no endpoint behind after %s`,
    async (signal) => {
      const example = await openExample(command, file, { PORT: '0', BAKERY_PORT: String(runtime.port) });
      expect((await demo('webhook.list')).data).toMatchObject([{ url: example.url() }]);
      expect(await trigger('order.status_changed')).toBe(0);
      const expectedLines = [/evt_\S+ order\.created taken/, /evt_\S+ order\.status_changed taken/, /^#\d+: 30(\.0)? USD$/m];
      await eventually(example.stdout, (text) => expectedLines.every((line) => line.test(text)));
      const { data } = await eventually(
        () => demo('webhook.list'),
        // The endpoint may also receive a change from the second before its registration.
        (list) => list.data[0].delivery_stats.success_count >= 2,
      );
      expect(data[0].delivery_stats.failure_count).toBe(0);
      expect(await example.stop(signal)).toBe(0);
      expect((await demo('webhook.list')).data).toEqual([]);
      expect(example.stderr()).toBe('');
    },
  );

  test(`the receiver in ${name} ends with one sentence if the service delivers to public addresses only`, async () => {
    const strict = await startRuntime({ regions: ['us'], seed: true });
    try {
      const example = startExample(command, file, { PORT: '0', BAKERY_PORT: String(strict.port) });
      expect([await example.ended, example.stderr()]).toEqual([
        1,
        'The service does not deliver to this machine. Stop it and run: npm start -- --allow-loopback-webhooks\n',
      ]);
    } finally {
      await strict.stop();
    }
  });

  test.each([
    ['the service does not run', () => ({ PORT: '0', BAKERY_PORT: '1' }), /^No demo bakery on port 1: run npm start, or set [^\n]+\n$/],
    ['its key is not set', () => ({ PORT: '0', BAKERY_URL: String(runtime.urls.us) }), /^Set BAKERY_API_KEY beside BAKERY_URL\.\n$/],
    ['its port is in use', () => ({ PORT: String(runtime.port) }), /^[^\n]*(in use|cannot be used)[^\n]*\n$/],
    [
      'its key is not valid',
      () => ({ PORT: '0', BAKERY_URL: `${runtime.urls.us}/api/v2`, BAKERY_API_KEY: `svc_sk_live_us_${'x'.repeat(43)}` }),
      /^401 invalid_api_key: [^\n]+\n$/,
    ],
  ])(`the receiver in ${name} ends with one sentence if %s`, async (_, env, sentence) => {
    const example = startExample(command, file, env());
    expect([await example.ended, example.stderr()]).toEqual([1, expect.stringMatching(sentence)]);
  });

  test(`the receiver in ${name} verifies either signature after the secret was rotated`, async () => {
    const { id, secret } = await demo('webhook.create', { url: 'http://127.0.0.1:9/', events: ['expense.created'] });
    const example = await openExample(command, file, { PORT: '0', BAKERY_WEBHOOK_SECRET: secret });
    await demo('webhook.update', { id, url: example.url() });
    await demo('webhook.rotate_secret', { id });
    await trigger('expense.created');
    await eventually(example.stdout, (text) => /evt_\S+ expense\.created taken/.test(text));
    await example.stop();
    await demo('webhook.delete', { id });
  });

  describe('requests that are made by hand', () => {
    const secret = 'whsec_by_hand';
    let example: ReturnType<typeof startExample>;
    beforeAll(async () => {
      example = await openExample(command, file, { PORT: '0', BAKERY_WEBHOOK_SECRET: secret });
    });
    afterAll(() => example.stop());

    const now = () => Math.floor(Date.now() / 1000);
    const sign = (body: Buffer, t: number, by = secret) =>
      `t=${t},v1=${createHmac('sha256', by).update(`${t}.`).update(body).digest('hex')}`;
    const event = (id: string) =>
      Buffer.from(`{ "id": "${id}",  "type": "expense.created", "data": {"object": {"description": "Rösti \\u2615 ☕"}} }`);
    const send = async (body: Buffer, headers: Record<string, string>): Promise<number> =>
      (await fetch(example.url(), { method: 'POST', headers, body: new Uint8Array(body) })).status;

    test('a sample receiver takes an event once, however often it comes', async () => {
      const body = event('evt_twice');
      for (const t of [now(), now() - 10]) expect(await send(body, { 'x-webhook-signature': sign(body, t) })).toBe(204);
      // The response may arrive before the line is printed.
      const lines = await eventually(
        () => example.stdout().match(/evt_twice .*/g) ?? [],
        ({ length }) => length >= 2,
      );
      expect(lines).toEqual(['evt_twice expense.created taken', 'evt_twice again: nothing to do']);
    });

    const body = event('evt_bad');
    test.each<[string, () => Record<string, string>, number]>([
      ['within the tolerance', () => ({ 'x-webhook-signature': sign(body, now() - 290) }), 204],
      ['ahead within the tolerance', () => ({ 'x-webhook-signature': sign(body, now() + 290) }), 204],
      ['too old', () => ({ 'x-webhook-signature': sign(body, now() - 310) }), 400],
      ['too far ahead', () => ({ 'x-webhook-signature': sign(body, now() + 310) }), 400],
      [
        'too old, with a fresh X-Webhook-Timestamp',
        () => ({ 'x-webhook-signature': sign(body, 1), 'x-webhook-timestamp': String(now()) }),
        400,
      ],
      ['of another secret', () => ({ 'x-webhook-signature': sign(body, now(), 'whsec_other') }), 400],
      ['of another body', () => ({ 'x-webhook-signature': sign(event('evt_else'), now()) }), 400],
      [
        'of the same JSON written otherwise',
        () => ({ 'x-webhook-signature': sign(Buffer.from(JSON.stringify(JSON.parse(String(body)))), now()) }),
        400,
      ],
      ['missing', () => ({}), 400],
      ['that is none', () => ({ 'x-webhook-signature': 't=abc,v1=zz' }), 400],
      [
        'of another secret beside the previous one of ours',
        () => ({ 'x-webhook-signature': sign(body, now(), 'whsec_new'), 'x-webhook-signature-previous': sign(body, now()) }),
        204,
      ],
    ])('a sample receiver judges a signature %s', async (_, headers, status) => {
      expect(await send(body, headers())).toBe(status);
    });

    test('a sample receiver survives a sender that hangs up in the middle', async () => {
      for (let i = 0; i < 5; i++) {
        await hangUp(example.url());
        expect(await send(body, {})).toBe(400);
      }
    });

    test('a sample receiver rejects a method other than POST', async () => {
      expect((await fetch(example.url())).status).toBeGreaterThanOrEqual(400);
    });
  });
});
