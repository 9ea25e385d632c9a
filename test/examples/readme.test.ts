import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { eventually } from '../support/journey.ts';
import { freePorts } from '../support/service.ts';

const [, section = ''] = /^## Start\n(.*?)^## /ms.exec(readFileSync('README.md', 'utf8')) ?? [];
const commands = [...section.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) => block.trim().split('\n'));

const running: { child: ChildProcess; closed: Promise<unknown> }[] = [];
afterAll(async () => {
  for (const { child, closed } of running.reverse()) {
    child.kill('SIGTERM');
    await closed;
  }
});

/** Runs one command as typed, with a port of this test; collects its output. */
const type = (command: string, options: string): { printed: () => string; child: ChildProcess } => {
  const child = spawn('sh', ['-c', `exec ${command} ${options}`], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += String(chunk);
    });
  running.push({ child, closed: once(child, 'close') });
  return { printed: () => text, child };
};

test('from a clone to a verified signed webhook the README asks for four commands after git clone, and they work as written', async () => {
  const [install, start = '', listen = '', trigger = '', ...more] = commands;
  expect([install, more]).toEqual(['npm ci', []]);
  const port = `--port ${await freePorts()}`;
  const service = type(start, `${port} --ephemeral`);
  await eventually(service.printed, (text) => text.includes('is ready'));
  const listener = type(listen, port);
  await eventually(listener.printed, (text) => text.includes('Ready!'));
  const triggered = type(trigger, port);
  await eventually(listener.printed, (text) => /expense\.created +evt_\S+ {2}signature verified ✓/.test(text));
  expect(triggered.printed()).toContain('"event": "expense.created"');
});
