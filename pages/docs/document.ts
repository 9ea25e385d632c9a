/** The parts of a JSON schema that the pages show. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly enum?: readonly unknown[];
  readonly 'x-extensible-enum'?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly [bound: string]: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Examples;
}

type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

interface Content {
  readonly content?: { readonly 'application/json': { readonly schema: Schema; readonly examples?: Examples } };
}

interface Response extends Content {
  readonly $ref?: string;
  readonly description: string;
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-required-scope': string;
  readonly 'x-key-types': readonly string[];
  readonly 'x-rate-limits': readonly { readonly limit: number; readonly seconds: number; readonly per: string }[];
}

export interface ApiDocument {
  readonly info: { readonly title: string; readonly summary: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described | readonly { readonly $ref: string }[]>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Described }>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const slugOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

/**
 * The example that a new demo account accepts repeatedly, by operation; the first example for
 * others.
 */
const repeatable: Readonly<Record<string, string>> = { createCustomer: 'phone', createOrder: 'details', createExpense: 'rent' };

const jsonOf = ({ content }: Content) => content?.['application/json'];

/** Returns the recorded successful calls. The samples send the first. */
const examplesOf = (id: string, described: Described, success: Response, parameters: readonly Parameter[]) => {
  const sent = described.requestBody && jsonOf(described.requestBody)?.examples;
  const queryOf = (name: string): Readonly<Record<string, unknown>> =>
    Object.fromEntries(parameters.flatMap((one) => (one.examples?.[name] ? [[one.name, one.examples[name].value]] : [])));
  const all = Object.entries(jsonOf(success)?.examples ?? {}).map(([name, { summary, value: response }]) => ({
    name,
    summary,
    body: sent?.[name]?.value,
    query: queryOf(name),
    response,
  }));
  return all.sort((a, b) => Number(b.name === repeatable[id]) - Number(a.name === repeatable[id]));
};

export type Example = ReturnType<typeof examplesOf>[number];

/** Returns the object that a `$ref` names; returns any other object unchanged. */
export type Resolve = <Node extends object>(node: Node) => Node;

const operationOf = (resolve: Resolve, path: string, method: string, described: Described, shared: readonly object[]) => {
  const parameters = [...shared, ...(described.parameters ?? [])].map((one) => resolve(one) as Parameter);
  const [[status, success], ...others] = Object.entries(described.responses).map(([code, one]) => [code, resolve(one)] as const) as [
    [string, Response],
    ...[string, Response][],
  ];
  return {
    id: described.operationId,
    method: method.toUpperCase(),
    /** Path below `/api/v2`. */
    path,
    summary: described.summary,
    /** Description in Markdown, without keys and scope, which the page shows next to it. */
    description: described.description.replace(/Takes secret .*?`[a-z:]+`\./, '').trim(),
    scope: described['x-required-scope'],
    keyTypes: described['x-key-types'],
    limits: described['x-rate-limits'],
    parameters,
    body: described.requestBody && jsonOf(described.requestBody)?.schema,
    success: { status, description: success.description, schema: jsonOf(success)?.schema ?? {} },
    /** `description` is Markdown and names every code. */
    errors: others.map(([code, { description }]) => ({ status: code, description })),
    examples: examplesOf(described.operationId, described, success, parameters),
  };
};

export type Operation = ReturnType<typeof operationOf>;

/**
 * Splits the document into pages. The page of a resource ends with the operations that delete,
 * because the samples before them need the record.
 */
export const referenceOf = (document: ApiDocument) => {
  const resolve: Resolve = (node) => {
    const path = '$ref' in node && typeof node.$ref === 'string' ? node.$ref.split('/').slice(2) : undefined;
    return path ? resolve(document.components[path[0] ?? '']?.[path[1] ?? ''] as typeof node) : node;
  };
  const operations = Object.entries(document.paths).flatMap(([path, { parameters = [], ...item }]) =>
    Object.entries(item as Record<string, Described>).map(([method, one]) => ({
      tag: one.tags[0],
      operation: operationOf(resolve, path, method, one, parameters as readonly object[]),
    })),
  );
  const isLast = ({ method }: Operation) => Number(method === 'DELETE');
  return {
    info: document.info,
    resources: document.tags.slice(0, -1).map(({ name, description }) => ({
      slug: slugOf(name),
      title: name,
      description,
      operations: operations.flatMap(({ tag, operation }) => (tag === name ? [operation] : [])).sort((a, b) => isLast(a) - isLast(b)),
    })),
    /** How events reach a receiver, in Markdown. */
    aboutEvents: document.tags.at(-1)?.description ?? '',
    events: Object.entries(document.webhooks).map(([type, { post }]) => {
      const { schema = {}, examples = {} } = (post.requestBody && jsonOf(post.requestBody)) ?? {};
      const headers = (post.parameters ?? []).map((one) => resolve(one) as Parameter);
      return { type, summary: post.summary, description: post.description, headers, schema, example: Object.values(examples)[0]?.value };
    }),
    resolve,
  };
};

export type Reference = ReturnType<typeof referenceOf>;
export type Resource = Reference['resources'][number];
export type EventType = Reference['events'][number];
