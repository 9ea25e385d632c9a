import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../support/eventually.ts';
import { type Hook, type Receiver, startReceiver } from '../support/receiver.ts';
import { freePorts, type ServiceProcess, startService } from '../support/service.ts';
import { runShell } from '../support/shell.ts';

let service: ServiceProcess;
let receiver: Receiver;
let hook: Hook;

beforeAll(async () => {
  const port = await freePorts();
  [service, receiver] = await Promise.all([
    startService({ port, args: ['--ephemeral', '--allow-loopback-webhooks'], through: 'npm' }),
    startReceiver(),
  ]);
  hook = receiver.hook();
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

const shell = async (command: string): Promise<Record<string, unknown>> => JSON.parse(await runShell(command)) as Record<string, unknown>;

test('the three commands that the service prints at its start work, and the last one causes a signed delivery', async () => {
  /** Each command ends with the first line that no backslash continues. */
  const commands = () => service.stdout().match(/^ {2}curl (?:.*\\\n)*.*\n/gm) ?? [];
  await until(() => commands().length === 3);
  const [register = '', create = '', checkout = ''] = commands();
  // The only change to the printed commands: this test's receiver replaces the one on port 8080.
  expect(register).toContain('http://127.0.0.1:8080/hook');
  const endpoint = await shell(register.replace('http://127.0.0.1:8080/hook', hook.url));
  const expense = await shell(create);
  expect(expense['id']).toMatch(/^exp_/);
  const session = await shell(checkout);
  expect(session['status']).toBe('open');
  const page = await fetch(String(session['url']));
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Card number')]);

  await until(() => hook.requests.length === 1);
  const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = hook.requests;
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-webhook-signature'])) ?? [];
  expect(v1).toBe(createHmac('sha256', String(endpoint['secret'])).update(`${t}.`).update(body).digest('hex'));
  expect(JSON.parse(body.toString())).toMatchObject({ type: 'expense.created', data: { object: { id: expense['id'] } } });
});
