/** Where the collection lies, from the root of the project. */
export const collectionPath = 'docs/postman-collection.json';

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly description?: string;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly examples: Readonly<Record<string, { readonly value: object }>> }>>;
  };
  readonly 'x-key-types': readonly string[];
}

interface Document {
  readonly info: { readonly title: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Bodies that name what is there only once the requests before have run; all others are the document's first examples. */
const bodies: Readonly<Record<string, object>> = {
  createCheckout: {
    items: [{ product_id: '{{product_id}}', quantity: 1 }],
    delivery_type: 'pickup',
    delivery_date: '{{delivery_date}}',
    delivery_time: '{{delivery_time}}',
    success_url: 'https://example.com/thanks',
    cancel_url: 'https://example.com/cart',
  },
  createCustomer: { first_name: 'Ada', last_name: 'Okafor', email: 'ada-{{$timestamp}}@example.com', tags: ['regular'] },
  createOrder: { items: [{ name: 'Sourdough loaf', quantity: 2, unit_price: 8.5 }], payment_method: 'cash' },
  createWebhook: { url: '{{webhook_url}}', events: ['expense.created'] },
  updateWebhook: { description: 'Bookkeeping' },
};

/** Parameters that a request is sent with; all others are there, and switched off. */
const sentWith: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  getAvailability: { from: '{{tomorrow}}', to: '{{in_two_weeks}}', type: 'pickup' },
};

const before: Readonly<Record<string, readonly string[]>> = {
  getAvailability: [
    'const day = (ahead) => new Date(Date.now() + ahead * 86400000).toISOString().slice(0, 10);',
    "pm.collectionVariables.set('tomorrow', day(1));",
    "pm.collectionVariables.set('in_two_weeks', day(14));",
  ],
};

/** The id that an operation takes or leaves: `{{order_id}}`. */
const idOf = ({ tags: [tag = ''] }: Operation): string => `${tag.toLowerCase().replace(/s$/, '')}_id`;

/** What the requests after it need of an answer. */
const after = (operation: Operation, createsRecord: boolean): readonly string[] => {
  const { operationId } = operation;
  if (operationId === 'getAvailability')
    return [
      'const open = pm.response.json().availability.find(({ bookable, time_slots }) => bookable && time_slots.length > 0);',
      "pm.collectionVariables.set('delivery_date', open.date);",
      "pm.collectionVariables.set('delivery_time', open.time_slots[0].start);",
    ];
  if (operationId !== 'listProducts' && !createsRecord) return [];
  const at = createsRecord ? 'id' : 'data[0].id';
  return [`pm.collectionVariables.set('${idOf(operation)}', pm.response.json().${at});`];
};

const scripts = (operation: Operation, createsRecord: boolean): readonly object[] =>
  Object.entries({ prerequest: before[operation.operationId] ?? [], test: after(operation, createsRecord) })
    .filter(([, exec]) => exec.length > 0)
    .map(([listen, exec]) => ({ listen, script: { type: 'text/javascript', exec } }));

const itemOf = (method: string, path: string, operation: Operation, createsRecord: boolean): object => {
  const { operationId, parameters = [], requestBody } = operation;
  const filled = path.replace('{id}', `{{${idOf(operation)}}}`);
  const query = parameters
    .filter(({ $ref }) => $ref === undefined)
    .map(({ name, description, examples = {} }) => ({
      key: name,
      value: sentWith[operationId]?.[name] ?? String(Object.values(examples)[0]?.value ?? ''),
      description,
      disabled: sentWith[operationId]?.[name] === undefined,
    }));
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  const example = Object.values(requestBody?.content['application/json']?.examples ?? {})[0]?.value;
  const body = requestBody && JSON.stringify(bodies[operationId] ?? example, null, 2);
  const event = scripts(operation, createsRecord);
  const takesKey = parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'));
  // What a browser may ask is asked as one asks it: so the products are those that a checkout offers.
  const key = operation['x-key-types'].includes('publishable') ? 'publishable_key' : 'secret_key';
  return {
    name: operation.summary,
    ...(event.length > 0 && { event }),
    request: {
      method,
      description: operation.description,
      auth: { type: 'bearer', bearer: [{ key: 'token', value: `{{${key}}}`, type: 'string' }] },
      header: [
        ...(body ? [{ key: 'Content-Type', value: 'application/json' }] : []),
        ...(takesKey ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
      ],
      url: {
        raw: `{{base_url}}${filled}${sent.length > 0 ? `?${sent.join('&')}` : ''}`,
        host: ['{{base_url}}'],
        path: filled.slice(1).split('/'),
        ...(query.length > 0 && { query }),
      },
      ...(body && { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }),
    },
  };
};

const first = ['Reference data', 'Products'];

/** In an order that works: what is made first, lists and reads then, what changes it, and its end. */
const rank = (method: string, path: string): number =>
  method === 'POST' && !path.includes('{id}') ? 0 : method === 'GET' ? 1 : method === 'DELETE' ? 3 : 2;

/**
 * The document as a collection for Postman, which Bruno and Insomnia import too: every operation with the example of its body, in an order
 * in which each can be sent; ids pass from answer to request in variables, and keys and address are variables as well.
 */
export const collectionOf = (document: Document): object => {
  const requests = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const folders = document.tags
    .map((tag) => ({ ...tag, own: requests.filter(({ operation }) => operation.tags.includes(tag.name)) }))
    .filter(({ own }) => own.length > 0)
    // A checkout buys a product on a date, which these two have told.
    .sort((a, b) => first.indexOf(b.name) - first.indexOf(a.name));
  const variable = (key: string, value: string, description: string) => ({ key, value, type: 'string', description });
  return {
    info: {
      name: document.info.title,
      description:
        'Made from docs/openapi.json. Set secret_key and publishable_key to those that `npm start` prints, and run it from top to bottom.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      variable('base_url', 'http://127.0.0.1:4001/api/v2', 'The region us of the service on your machine.'),
      variable('secret_key', '', 'svc_sk_…'),
      variable('publishable_key', '', 'svc_pk_…'),
      variable('webhook_url', 'https://example.com/hook', 'A receiver of yours.'),
    ],
    item: folders.map(({ name, description, own }) => ({
      name,
      description,
      item: own
        .toSorted((a, b) => rank(a.method, a.path) - rank(b.method, b.path))
        .map(({ method, path, operation }) =>
          itemOf(method, path, operation, method === 'POST' && document.paths[`${path}/{id}`] !== undefined),
        ),
    })),
  };
};
