import { spawnSync } from 'node:child_process';
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Check } from '../deploy/check.ts';
import { pythonTool } from '../deploy/python.ts';
import { samplesOf } from '../examples/samples.ts';
import { freePorts } from '../support/service.ts';
import { cases } from '../verify-samples/deliveries.ts';
import type { Tools } from './tools.ts';

/** Frameworks of the samples in the guide, by the language of the program that passes them deliveries. */
const frameworks = { ts: ['express', 'hono', 'next', 'lambda'], py: ['flask', 'fastapi', 'django'] } as const;

/** Writes the guide's samples into a folder with the packages that they import. */
const writeSamples = ({ folder: installed }: Tools): string => {
  const folder = mkdtempSync(join(tmpdir(), 'receivers-'));
  symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const client = JSON.stringify(resolve('clients/typescript/src/index.ts'));
  for (const { file = '', marks, text } of samplesOf('docs/guides/webhooks.md'))
    if (marks.includes('framework')) writeFileSync(join(folder, file), text.replace("'@bakery-commerce/client'", client));
  return folder;
};

/** An event is JSON: the clients also reject a signed body that is not. */
const events = cases.filter(({ name }) => name !== 'genuine, any bytes');

const deliveries = (): string =>
  events
    .map(({ delivery }) => {
      const { body, signature, previous, secret } = delivery(Math.floor(Date.now() / 1000));
      const headers = { 'x-webhook-signature': signature, 'x-webhook-signature-previous': previous };
      return JSON.stringify({ base64: body.toString('base64'), headers, secret });
    })
    .join('\n');

/** Passes genuine, rotated, stale and forged deliveries to the guide's handlers, in the frameworks themselves. */
export const checkReceivers = async (check: Check, tools: Tools): Promise<void> => {
  const folder = writeSamples(tools);
  const python = await pythonTool('python', 'frameworks');
  const commands = { ts: process.execPath, py: python };
  for (const language of ['ts', 'py'] as const)
    for (const framework of frameworks[language])
      await check(`the sample for ${framework} accepts what is genuine, and nothing else`, async () => {
        const env = { ...process.env, PORT: String(await freePorts()), PYTHONPATH: resolve('clients/python/src') };
        const program = resolve('test/integrators/programs', `receivers.${language}`);
        const { stdout, stderr } = spawnSync(commands[language], [program, framework], {
          cwd: folder,
          env,
          input: deliveries(),
          encoding: 'utf8',
        });
        const statuses = stdout.trim().split('\n');
        const wrong = events.flatMap(({ name, isGenuine }, at) =>
          statuses[at] === (isGenuine ? '204' : '400') ? [] : [`${name}: ${statuses[at]}`],
        );
        if (wrong.length > 0) throw new Error([...wrong, stderr].join('\n'));
      });
};
