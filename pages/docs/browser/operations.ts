import type { Demo } from './demo.ts';

interface Schema {
  readonly enum?: readonly string[];
  readonly type?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly schema?: Schema;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly takesPublishable: boolean;
  /** JSON texts by what they show; empty where nothing is sent. */
  readonly bodies: readonly { readonly name: string; readonly text: string }[];
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly 'x-key-types'?: readonly string[];
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': { readonly examples?: Readonly<Record<string, { summary: string; value: unknown }>> };
    };
  };
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described | readonly Parameter[]>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

const methods = ['get', 'post', 'patch', 'delete'];

const shopper = { first_name: 'Ada', last_name: 'Okafor', email: 'ada@example.com' };

/** An example with what exists in the demo account in the place of its own product, customer, day and slot; without what does not. */
const localised = (value: unknown, { account, openDay }: Demo): unknown =>
  JSON.parse(
    JSON.stringify(value, function (this: { readonly delivery_type?: string }, name, member: unknown) {
      if (name === 'product_id' && account) return account.product;
      if (name === 'variant_id' || name === 'custom_fields') return undefined;
      if (name === 'customer' && typeof member === 'object' && member !== null && 'id' in member) return shopper;
      if (name === 'delivery_date') return openDay;
      if (name === 'delivery_time') return this.delivery_type === 'delivery' ? '11:00' : '08:00';
      return member;
    }),
  );

/** Every operation of the document by its id. */
export const operationsOf = ({ paths, components }: ApiDocument, demo: Demo): ReadonlyMap<string, Operation> => {
  const resolve = (parameter: Parameter | { readonly $ref: string }): Parameter | undefined =>
    '$ref' in parameter ? components.parameters[parameter.$ref.split('/').at(-1) ?? ''] : parameter;
  const found = new Map<string, Operation>();
  for (const [path, item] of Object.entries(paths)) {
    const shared = (item['parameters'] ?? []) as readonly Parameter[];
    for (const method of methods) {
      const described = item[method] as Described | undefined;
      if (!described) continue;
      const { operationId, summary, parameters = [], requestBody } = described;
      const examples = Object.values(requestBody?.content['application/json'].examples ?? {});
      found.set(operationId, {
        id: operationId,
        method: method.toUpperCase(),
        path,
        summary,
        parameters: [...shared, ...parameters].flatMap((parameter) => resolve(parameter) ?? []),
        takesPublishable: described['x-key-types']?.includes('publishable') ?? false,
        bodies: examples.map(({ summary: name, value }) => ({ name, text: JSON.stringify(localised(value, demo), null, 2) })),
      });
    }
  }
  return found;
};

/** The address and headers of a request from what was filled in; empty fields are left out. */
export const requestOf = ({ path, parameters }: Operation, values: Readonly<Record<string, string>>) => {
  const given = (place: Parameter['in']) =>
    parameters.flatMap(({ name, in: where }) => (where === place && values[name] ? [[name, values[name]] as const] : []));
  let address = path;
  for (const [name, value] of given('path')) address = address.replace(`{${name}}`, encodeURIComponent(value));
  const query = new URLSearchParams(given('query').map(([name, value]) => [name, value])).toString();
  return { url: `/api/v2${address}${query === '' ? '' : `?${query}`}`, headers: Object.fromEntries(given('header')) };
};
