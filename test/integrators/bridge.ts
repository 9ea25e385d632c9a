import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Runtime } from '../../local/runtime.ts';
import type { Check } from '../deploy/check.ts';
import { samplesOf } from '../examples/samples.ts';
import { actIn } from '../support/journey.ts';
import { readDocument } from './postman.ts';
import type { Tools } from './tools.ts';

/** The arguments of the bridge as SKILL.md prints them, in which the shell has replaced the variables. */
const argumentsOf = (variables: Readonly<Record<string, string>>): readonly string[] => {
  const command = samplesOf('docs/SKILL.md').find(({ text }) => text.includes('openapi-mcp-server'))?.text ?? '';
  const [, printed = '', options = ''] = /^npx (@ivotoby\/openapi-mcp-server@\S+) (.+)$/s.exec(command) ?? [];
  const { dependencies } = JSON.parse(readFileSync('test/integrators/packages/package.json', 'utf8'));
  const pinned = Object.entries(dependencies).map((pair) => pair.join('@'));
  if (!pinned.includes(printed)) throw new Error(`SKILL.md prints ${printed}, and these are installed: ${pinned.join(', ')}.`);
  return [...options.matchAll(/"([^"]*)"|([^\s\\"]+)/g)].map(([, quoted, plain]) =>
    (quoted ?? plain ?? '').replace(/^openapi\.json$/, 'docs/openapi.json').replaceAll(/\$(\w+)/g, (_, name) => variables[name] ?? ''),
  );
};

/** Runs the bridge with a key of the group while `use` calls its tools. */
const withBridge = async (
  { folder }: Tools,
  { runtime, base }: { readonly runtime: Runtime; readonly base: string },
  group: string,
  use: (client: any) => Promise<void>,
): Promise<void> => {
  const load = createRequire(join(folder, 'package.json'));
  const { Client } = load('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = load('@modelcontextprotocol/sdk/client/stdio.js');
  const { key } = await actIn(runtime, 'us', 'key.create', { type: 'secret', group, name: group }, runtime.demo.us?.account);
  const program = join(folder, 'node_modules/@ivotoby/openapi-mcp-server/bin/mcp-server.js');
  const args = [program, ...argumentsOf({ BAKERY_URL: base, BAKERY_API_KEY: key })];
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  try {
    await use(client);
  } finally {
    await client.close();
  }
};

const expense = { amount: 47.11, date: '2026-03-01', category: 'Ingredients' };
const create = { name: 'create-expense', arguments: expense };
const list = { name: 'list-expenses', arguments: { limit: 100 } };
const countIn = ({ content }: any): number =>
  JSON.parse(content[0].text).data.filter(({ amount }: any) => amount === expense.amount).length;

const requireEqual = (found: unknown, expected: unknown): void => {
  if (!isDeepStrictEqual(found, expected)) throw new Error(`${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
};

/** Checks the bridge that SKILL.md names for models with tools (MCP), against a service. */
export const checkBridge = async (check: Check, tools: Tools, runtime: Runtime, base: string): Promise<void> => {
  const service = { runtime, base };
  await check('each operation of the document is a tool, and one creates an expense', () =>
    withBridge(tools, service, 'fullAccess', async (client) => {
      const names = (await client.listTools()).tools.map(({ name }: any) => name);
      const operations = Object.values((readDocument() as any).paths).flatMap((item: any) =>
        Object.values(item).map(({ operationId }: any) => operationId),
      );
      const kebab = operations.filter(Boolean).map((id: string) => id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
      requireEqual(names.sort(), kebab.sort());
      const { isError, content } = await client.callTool(create);
      requireEqual([isError ?? false, JSON.parse(content[0].text).amount], [false, expense.amount]);
      requireEqual(countIn(await client.callTool(list)), 1);
    }),
  );
  await check('with a readOnly key, a tool reads, and creates nothing', () =>
    withBridge(tools, service, 'readOnly', async (client) => {
      const { isError, content } = await client.callTool(create);
      requireEqual([isError, /\b403\b/.test(content[0].text)], [true, true]);
      requireEqual(countIn(await client.callTool(list)), 1);
    }),
  );
};
