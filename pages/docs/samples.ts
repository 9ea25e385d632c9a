import { methodOf, snake } from '../../clients/methods.ts';
import type { EventType, Example, Operation } from './document.ts';

/** A service that receives the samples. With its keys and ids, they run as they are printed. */
export interface SampleTarget {
  /** Base URL, including `/api/v2`. */
  readonly base: string;
  /** Undefined if there is no demo account. */
  readonly key: string | undefined;
  readonly publishableKey: string | undefined;
  /**
   * The newest id of each resource, by the first segment of its path: `orders`, `customers`,
   * `expenses`, `products`, `webhooks`.
   */
  readonly ids: Readonly<Record<string, string | undefined>>;
  /** A day on which the account accepts orders, as YYYY-MM-DD. */
  readonly openDay: string;
}

export const languages = { bash: 'curl', ts: 'TypeScript', python: 'Python' } as const;
type Language = keyof typeof languages;

/** How a programming language writes values. */
interface Dialect {
  readonly text: (value: string) => string;
  readonly name: (name: string) => string;
  readonly constants: Readonly<Record<string, string>>;
  readonly pad: string;
  readonly step: string;
  readonly comma: string;
}

const single = (text: string): string => (text.includes("'") ? JSON.stringify(text) : `'${text}'`);
const plain = { true: 'true', false: 'false', null: 'null' };
const dialects: Readonly<Record<Language, Dialect>> = {
  bash: { text: JSON.stringify, name: JSON.stringify, constants: plain, pad: ' ', step: '  ', comma: '' },
  ts: { text: single, name: (name) => (/^\w+$/.test(name) ? name : single(name)), constants: plain, pad: ' ', step: '  ', comma: ',' },
  python: {
    text: JSON.stringify,
    name: JSON.stringify,
    constants: { true: 'True', false: 'False', null: 'None' },
    pad: '',
    step: '    ',
    comma: ',',
  },
};

export const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** Width of a narrow column in characters. */
const longestLine = 52;

/** Writes a value as source code, on one line if it fits. */
const literal = (value: unknown, dialect: Dialect, indent: string, room = longestLine): string => {
  if (typeof value === 'string') return dialect.text(value);
  if (typeof value !== 'object' || value === null) return dialect.constants[String(value)] ?? String(value);
  const isList = Array.isArray(value);
  const [open, close, pad] = isList ? ['[', ']', ''] : ['{', '}', dialect.pad];
  const parts = (inside: string) =>
    Object.entries(value).map(([name, one]) => {
      const label = isList ? '' : `${dialect.name(name)}: `;
      return label + literal(one, dialect, inside, longestLine - inside.length - label.length);
    });
  const line = `${open}${pad}${parts(indent).join(', ')}${pad}${close}`;
  if (line.length <= room && !line.includes('\n')) return line;
  const inside = indent + dialect.step;
  return `${open}\n${inside}${parts(inside).join(`,\n${inside}`)}${dialect.comma}\n${indent}${close}`;
};

const dayMs = 86_400_000;

/** Replaces ids and days of the recorded account with those of the place. */
export const localised = (value: Readonly<Record<string, unknown>>, target: SampleTarget | undefined): Record<string, unknown> => {
  if (!target) return { ...value };
  const { ids, openDay } = target;
  const replacer = function (this: { readonly delivery_type?: string }, name: string, field: unknown): unknown {
    if (name === 'product_id') return ids['products'];
    if (name === 'variant_id' || name === 'custom_fields') return undefined;
    if (name === 'customer' && ids['customers'] && typeof field === 'object' && field !== null && 'id' in field)
      return { id: ids['customers'] };
    if (name === 'delivery_date' || name === 'date_to') return openDay;
    if (name === 'date_from') return new Date(Date.parse(openDay) - 30 * dayMs).toISOString().slice(0, 10);
    if (name === 'delivery_time') return this.delivery_type === 'delivery' ? '11:00' : '08:00';
    return field;
  };
  return JSON.parse(JSON.stringify(value, replacer));
};

/** The id for a sample: from the place, or from the first example with one in its response. */
const exampleId = (resource: string, examples: readonly Example[], target: SampleTarget | undefined): string => {
  const own = target?.ids[resource];
  if (own !== undefined) return own;
  const ids = examples.map(({ response }) => (response as { readonly id?: unknown }).id);
  return ids.find((id): id is string => typeof id === 'string') ?? `${resource}_id`;
};

/** The call that the samples of an operation make. */
export const callOf = (operation: Operation, target: SampleTarget | undefined, siblings: readonly Operation[] = []) => {
  const [example] = operation.examples;
  const resource = operation.path.split('/')[1] ?? '';
  const known = [operation, ...siblings].flatMap(({ examples }) => examples);
  return {
    operation,
    /** First segment of the path, for example `orders`. */
    resource,
    id: operation.path.includes('{id}') ? exampleId(resource, known, target) : undefined,
    body: example?.body === undefined ? undefined : localised(example.body as Record<string, unknown>, target),
    query: localised(example?.query ?? {}, target),
    target,
  };
};

type Call = ReturnType<typeof callOf>;

const curl = ({ operation, id, body, query, target }: Call): string => {
  // One line a parameter: a narrow column would cut a long URL.
  const parameters = Object.entries(query).map(([name, value]) => new URLSearchParams({ [name]: String(value) }));
  const url = `${target?.base ?? '$BAKERY_URL'}${operation.path.replace('{id}', id ?? '')}`;
  const method = operation.method === 'GET' || (body && operation.method === 'POST') ? '' : `-X ${operation.method} `;
  const json = body && literal(body, dialects.bash, '  ').replaceAll("'", "'\\''");
  return [
    `curl ${parameters.length > 0 ? '-G ' : method}"${url}"`,
    `  -H "Authorization: Bearer ${target?.key ?? '$BAKERY_API_KEY'}"`,
    ...parameters.map((parameter) => `  -d '${parameter}'`),
    ...(json ? [`  -H 'Content-Type: application/json'`, `  -d '${json}'`] : []),
  ].join(' \\\n');
};

/** Returns the name of the variable for a response: `order`, `page` or `slots`. */
const resultOf = ({ operation, resource }: Call): string => {
  if (operation.success.schema.$ref?.endsWith('Page')) return 'page';
  return operation.path.split('/').length > 2 && !operation.path.endsWith('{id}') ? 'result' : resource.replace(/s$/, '');
};

const typescript = (call: Call): string => {
  const { id, body, query, target } = call;
  const write = (value: unknown) => literal(value, dialects.ts, '');
  const [resource, method] = methodOf({ operationId: call.operation.id, path: call.operation.path });
  const passed = [...(id === undefined ? [] : [write(id)]), ...[body ?? query].filter((one) => Object.keys(one).length > 0).map(write)];
  const key = target?.key ? write(target.key) : "process.env.BAKERY_API_KEY ?? ''";
  const base = target ? write(target.base) : "process.env.BAKERY_URL ?? ''";
  const options = `{\n  apiKey: ${key},\n  baseUrl: ${base},\n}`;
  return `import { createClient } from '@bakery-commerce/client';

const client = createClient(${options});

const ${resultOf(call)} = await client.${resource}.${method}(${passed.join(', ')});
console.log(${resultOf(call)});`;
};

const python = (call: Call): string => {
  const { id, body, query, target } = call;
  const write = (value: unknown) => literal(value, dialects.python, '');
  const [resource, method] = methodOf({ operationId: call.operation.id, path: call.operation.path });
  // Python has a keyword `from`, so the parameter is `from_`.
  const named = Object.entries(query).map(([name, value]) => `${name === 'from' ? 'from_' : name}=${write(value)}`);
  const passed = [...(id === undefined ? [] : [write(id)]), ...(body ? [write(body)] : []), ...named];
  const key = target?.key ? write(target.key) : 'os.environ["BAKERY_API_KEY"]';
  const base = target ? write(target.base) : 'os.environ["BAKERY_URL"]';
  const start = `${target?.key ? '' : 'import os\n\n'}from bakery_commerce import BakeryCommerce

client = BakeryCommerce(
    ${key},
    base_url=${base},
)`;
  return `${start}

${resultOf(call)} = client.${resource}.${snake(method)}(${passed.join(', ')})
print(${resultOf(call)})`;
};

export type Samples = Readonly<Partial<Record<Language, string>>>;

/** The same call in every language. */
export const samplesOf = (call: Call): Required<Samples> => ({ bash: curl(call), ts: typescript(call), python: python(call) });

/** Samples that verify an event of a type. */
export const verifySamples = ({ type }: Pick<EventType, 'type'>): Samples => ({
  ts: `import {
  verifyWebhook,
  type WebhookHeaders,
} from '@bakery-commerce/client';

// rawBody: the bytes as received, before any parser.
export const receive = async (
  rawBody: Uint8Array,
  headers: WebhookHeaders,
) => {
  const event = await verifyWebhook({
    rawBody,
    headers,
    secrets: process.env.BAKERY_WEBHOOK_SECRET ?? '',
  });
  if (event.type === '${type}')
    console.log(event.data.object);
};`,
  python: `import os

from bakery_commerce import webhooks


def receive(raw: bytes, headers: dict[str, str]) -> None:
    # raw: the bytes as received, before any parser.
    event = webhooks.verify(
        raw, headers, os.environ["BAKERY_WEBHOOK_SECRET"]
    )
    if event["type"] == "${type}":
        print(event["data"]["object"])`,
});
