import { type Document, defined, type JsonSchema, mapped, type Named, type Node, ref, type Schema } from './json-schema.ts';

/** The writer of a value: the caller in a request, the service in a response or an event. */
type Writer = 'caller' | 'service';

const nameIn = ($ref = ''): string => $ref.split('/').at(-1) ?? '';

/** Returns the names of schemas that a part refers to, directly or through other schemas. */
const reachable = (part: unknown, schemas: Named<Schema>, found = new Set<string>()): ReadonlySet<string> => {
  for (const [, name = ''] of (JSON.stringify(part) ?? '').matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    reachable(schemas[name], schemas, found);
  }
  return found;
};

/** Returns one schema that accepts the values of both. */
const either = (one: Schema, other: Schema): Schema => {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  if (one.properties && other.properties) {
    const properties: Record<string, Schema> = { ...one.properties };
    for (const [name, schema] of Object.entries(other.properties))
      properties[name] = properties[name] ? either(properties[name], schema) : schema;
    const required = one.required?.filter((name) => other.required?.includes(name)) ?? [];
    return defined({ ...one, ...other, properties, required: required.length > 0 ? required : undefined, description: undefined });
  }
  return one.type === other.type && (one.type === 'string' || one.type === 'boolean') ? { type: one.type } : {};
};

const codes = (values: readonly unknown[]): string => values.map((value) => `\`${value}\``).join(', ');

/** Returns the keywords of a text's possible values: closed if the caller writes it, else open. */
const valuesOf = ({ const: only, enum: closed, 'x-extensible-enum': open, description }: Schema, writer: Writer): Schema => {
  const values = (closed ?? open ?? []).filter((value) => value !== null);
  if (writer === 'caller' && closed) return { enum: values, description };
  const text = typeof only === 'string' ? `Always ${codes([only])}.` : values.length > 0 && `Known values: ${codes(values)}.`;
  return { description: [description, text].filter(Boolean).join(' ') || undefined };
};

/** The largest number that programs hold in 32 bits. */
const mostIn32Bits = 2 ** 31 - 1;

const boundsOf = ({ exclusiveMinimum: above, exclusiveMaximum: below }: Schema): JsonSchema => ({
  ...(above === undefined ? {} : { minimum: above, exclusiveMinimum: true }),
  ...(below === undefined ? {} : { maximum: below, exclusiveMaximum: true }),
});

/** Keywords that OpenAPI 3.0 does not have, that generators do not read, or that this module writes itself. */
const dropped = new Set([
  ...['anyOf', 'oneOf', 'discriminator', 'const', 'enum', 'propertyNames', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['examples', 'security'],
]);
const withoutDropped = (part: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(part).filter(([name]) => !dropped.has(name) && !name.startsWith('x-')));

/**
 * Returns a function that reduces a schema, and the names of the objects in place of which the
 * service may write null.
 */
const createReduction = (schemas: Named<Schema>) => {
  const nullable = new Set<string>();

  const plain = (schema: Schema, writer: Writer): Schema => {
    const own: Schema = withoutDropped(schema);
    const types = [own.type ?? []].flat();
    const type = types.find((one) => one !== 'null') ?? (types.length > 0 ? 'string' : undefined);
    const { properties, items, additionalProperties: value } = own;
    // The service accepts any size of a page, which programs hold in 32 bits.
    const isSize = type === 'integer' && own['maximum'] === undefined && own['default'] !== undefined;
    return defined({
      ...own,
      type,
      nullable: (writer === 'service' && types.includes('null')) || undefined,
      // Generators take an integer without a width as 32 bits.
      format: own['format'] ?? (type === 'integer' && own['maximum'] === undefined && !isSize ? 'int64' : undefined),
      ...valuesOf(schema, writer),
      ...boundsOf(schema),
      ...(isSize && { maximum: mostIn32Bits }),
      properties: properties && mapped(properties, (one) => of(one, writer)),
      items: items && of(items, writer),
      // Some generators write clients that reject unknown fields unless the schema allows them.
      additionalProperties: typeof value === 'object' ? of(value, writer) : writer === 'service' && properties ? true : value,
    });
  };

  const union = (forms: readonly Schema[], own: Schema, writer: Writer): Schema => {
    const [first = {}, ...others] = forms.filter(({ type }) => type !== 'null');
    if (others.length > 0) {
      const merged = [first, ...others].map((form) => of(schemas[nameIn(form.$ref)] ?? form, writer)).reduce(either);
      return { ...merged, ...own };
    }
    const form = of({ ...first, ...own }, writer);
    if (writer === 'caller') return form;
    if (form.$ref) nullable.add(nameIn(form.$ref));
    return form.type ? { ...form, nullable: true } : form;
  };

  /** Returns the schema without unions. Only objects keep a name: generators name the rest. */
  const of = (schema: Schema, writer: Writer): Schema => {
    const { $ref, anyOf, oneOf, ...own } = schema;
    if ($ref) {
      const reducedSchema = of({ ...schemas[nameIn($ref)], ...own }, writer);
      return reducedSchema.properties ? ref(nameIn($ref)) : reducedSchema;
    }
    const forms = anyOf ?? oneOf;
    return forms ? union(forms, withoutDropped(own), writer) : plain(own, writer);
  };

  return { of, nullable };
};

/**
 * Returns the document in OpenAPI 3.0.3, for generators that fail on unions, on webhooks or on
 * names that two enums share. A response has more values than in the document, a request fewer:
 *
 * - The service's enums are plain texts, with the known values in the description.
 * - A union of objects is one object with all their fields. Any other union accepts every value.
 * - A caller leaves a field out instead of sending null.
 */
export const reduced = (document: Document): JsonSchema => {
  const { info, servers, tags, paths, webhooks, components } = document;
  const { of, nullable } = createReduction(components.schemas);

  const inside = (node: Node, writer: Writer): Node =>
    defined({
      ...withoutDropped(node),
      security: node.operationId && [{ apiKey: [] }],
      schema: node.schema && of(node.schema, writer),
      parameters: node.parameters?.map((one) => inside(one, 'caller')),
      requestBody: node.requestBody && inside(node.requestBody, 'caller'),
      responses: node.responses && mapped(node.responses, (one) => inside(one, 'service')),
      headers: node.headers && mapped(node.headers, (one) => inside(one, writer)),
      content: node.content && mapped(node.content, (one) => inside(one, writer)),
    });

  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const sent = reachable(
    operations.map(({ requestBody }) => requestBody),
    components.schemas,
  );
  const schemas = Object.fromEntries(
    Object.entries(components.schemas)
      .map(([name, schema]) => [name, of(schema, sent.has(name) ? 'caller' : 'service')] as const)
      .filter(([, { properties }]) => properties),
  );
  const calls = {
    paths: mapped(paths, (item) => mapped(item, (part) => (part.operationId ? inside(part, 'service') : part))),
    responses: mapped(components.responses, (one) => inside(one, 'service')),
  };
  const named = reachable([calls, webhooks, ref('Event')], schemas);
  const parameters = Object.entries(components.parameters).filter(([name]) => !name.startsWith('Delivery'));
  return {
    openapi: '3.0.3',
    info: {
      title: info.title,
      version: info.version,
      description: `${info.summary} For generators of clients: \`openapi.json\` has the details, examples and limits.`,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers,
    tags: tags.filter(({ name }) => operations.some((operation) => operation.tags?.includes(name))),
    paths: calls.paths,
    components: {
      schemas: Object.fromEntries(
        Object.entries(schemas).flatMap(([name, schema]) =>
          named.has(name) ? [[name, nullable.has(name) ? { ...schema, nullable: true } : schema]] : [],
        ),
      ),
      responses: calls.responses,
      parameters: Object.fromEntries(parameters.map(([name, one]) => [name, inside(one, 'caller')])),
      headers: mapped(components.headers, (one) => inside(one, 'service')),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'A secret key, or where the operation says so a publishable key.' },
      },
    },
  };
};
