import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { eventually } from '../support/journey.ts';
import { freePorts } from '../support/service.ts';

const readme = readFileSync('README.md', 'utf8');
/** The commands in the blocks of a section. */
const commandsOf = (heading: string): string[] => {
  const [, section = ''] = new RegExp(`^## ${heading}\\n(.*?)^## `, 'ms').exec(readme) ?? [];
  return [...section.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) => block.trim().split('\n'));
};

const running: { child: ChildProcess; closed: Promise<unknown> }[] = [];
afterAll(async () => {
  for (const { child, closed } of running.reverse()) {
    child.kill('SIGTERM');
    await closed;
  }
});

/** Runs one command as typed, with a port of this test; collects its output. */
const type = (command: string, options: string, env: NodeJS.ProcessEnv = {}): { printed: () => string; child: ChildProcess } => {
  const child = spawn('sh', ['-c', `exec ${command} ${options}`], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += String(chunk);
    });
  running.push({ child, closed: once(child, 'close') });
  return { printed: () => text, child };
};

/** Returns the commands that start the service, listen and cause an event, without the installation. */
const startCommands = (): readonly [start: string, listen: string, trigger: string] => {
  const [start = '', listen = '', trigger = '', ...more] = commandsOf('Start');
  expect([start.startsWith('npm ci && '), more]).toEqual([true, []]);
  return [start.replace('npm ci && ', ''), listen, trigger];
};

test('three commands of the README lead from a clone to a verified webhook', async () => {
  const [start, listen, trigger] = startCommands();
  const port = `--port ${await freePorts()}`;
  const service = type(start, `${port} --ephemeral`);
  await eventually(service.printed, (text) => text.includes('is ready'));
  const listener = type(listen, port);
  await eventually(listener.printed, (text) => text.includes('Ready!'));
  const triggered = type(trigger, port);
  await eventually(listener.printed, (text) => /expense\.created +evt_\S+ {2}signature verified ✓/.test(text));
  expect(triggered.printed()).toContain('"event": "expense.created"');
});

test('the section Receive webhooks leads to a receiver that takes a forwarded event once', async () => {
  const [start, , trigger] = startCommands();
  const [listen = '', receive = '', ...more] = commandsOf('Receive webhooks');
  expect(more).toEqual([]);
  const ports = [await freePorts(), await freePorts()];
  const port = `--port ${ports[0]}`;
  const service = type(start, `${port} --ephemeral`);
  await eventually(service.printed, (text) => text.includes('is ready'));
  const listener = type(listen.replace('8080', String(ports[1])), port);
  await eventually(listener.printed, (text) => text.includes('Ready!'));
  const [secret = ''] = /whsec_\S+/.exec(listener.printed()) ?? [];
  const [, variable = '', command = ''] = /^(\w+)=whsec_… (.*)$/.exec(receive) ?? [];
  const receiver = type(command, '', { [variable]: secret, PORT: String(ports[1]), BAKERY_PORT: String(ports[0]) });
  await eventually(receiver.printed, (text) => text.includes('Listening on'));
  type(trigger, port);
  await eventually(listener.printed, (text) => text.includes('→ 204'));
  expect(receiver.printed().match(/expense\.created taken|refused|again/g)).toEqual(['expense.created taken']);
  expect(listener.printed()).not.toContain('→ 400');
});
