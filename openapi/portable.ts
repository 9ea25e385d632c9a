import { defined, type JsonSchema, ref } from './json-schema.ts';

/**
 * Names for shapes that several places share, keyed by the first place; components come before
 * operations.
 */
const given: Readonly<Record<string, string>> = {
  'CheckoutInput.custom_fields': 'CustomFieldsInput',
  'CheckoutInput.custom_fields.value': 'CustomFieldValueInput',
  'CheckoutInput.delivery_address': 'AddressInput',
  'CheckoutInput.delivery_address.1': 'AddressFieldsInput',
  'CheckoutInput.delivery_type': 'DeliveryType',
  'CheckoutInput.metadata': 'MetadataInput',
  'Customer.address': 'Address',
  'Customer.address.1': 'AddressFields',
  'Customer.metadata': 'Metadata',
  'CustomField.scopes.item': 'CustomFieldScope',
  'OfferedTimeSlot.type': 'TimeSlotType',
  'Order.custom_fields': 'CustomFields',
  'Order.custom_fields.value': 'CustomFieldValue',
  'OrderInput.customer': 'OrderCustomerInput',
  'OrderInput.payment_status': 'OrderPaymentStatus',
  'OrderInput.status': 'OrderStatus',
  'PaymentInput.status': 'PaymentStatus',
  'WebhookEndpointChanges.events.item': 'EventType',
  'createCheckout.403': 'OrderForbiddenError',
  'createSearchToken.503': 'SearchUnavailableError',
  'listCustomers.403': 'ForbiddenError',
  'listExpenses.order_by': 'ExpenseOrder',
  'listOrders.sort': 'OrderSort',
  GatewayRefusal: 'TooLargeError',
};

const pascal = (place: string): string => place.replace(/(?:^|[._-])(\w)/g, (_, letter: string) => letter.toUpperCase());

const isNull = (schema: JsonSchema): boolean => schema['type'] === 'null';
const isMap = (schema: JsonSchema): boolean => 'additionalProperties' in schema && !('properties' in schema);
const formsOf = (schema: JsonSchema): readonly JsonSchema[] => (schema['anyOf'] ?? []) as readonly JsonSchema[];

/**
 * Whether generators need a name: for an enum, a map, or a union of more than one schema and null.
 */
const needsName = (schema: JsonSchema): boolean =>
  'enum' in schema || isMap(schema) || formsOf(schema).filter((form) => !isNull(form)).length > 1;

/** Returns the schema without null, and whether it allowed null. */
const withoutNull = (schema: JsonSchema): readonly [schema: JsonSchema, nullable: boolean] => {
  const forms = formsOf(schema);
  const anyOf = forms.filter((form) => !isNull(form));
  if (anyOf.length < forms.length) return [{ ...schema, anyOf }, true];
  if (!Array.isArray(schema['type'])) return [schema, false];
  const values = schema['enum'] as unknown[] | undefined;
  const [type] = schema['type'].filter((one) => one !== 'null');
  return [defined({ ...schema, type, enum: values?.filter((value) => value !== null) }), true];
};

/**
 * Adds the type of a constant and the width of a number. Removes the pattern of a date-time,
 * because generated code has no text to match.
 */
const explicit = ({ pattern, ...schema }: JsonSchema): JsonSchema =>
  defined({
    ...(schema['const'] === undefined ? {} : { type: typeof schema['const'] }),
    ...schema,
    ...([schema['type']].flat().includes('number') ? { format: 'double' } : {}),
    pattern: schema['format'] === 'date-time' ? undefined : pattern,
  });

interface Naming {
  /** Returns the schema for the same values, with references to named schemas inside it. */
  of(place: string, schema: JsonSchema): JsonSchema;
  /** As `of`, for a schema that has a name already. */
  inside(place: string, schema: JsonSchema): JsonSchema;
  /** The schemas that were named so far, by name. */
  readonly components: Readonly<Record<string, JsonSchema>>;
}

/**
 * Names enums, maps and unions, because most generators make types of named schemas only. Equal
 * schemas share one name.
 */
const createNaming = (): Naming => {
  const names = new Map<string, string>();
  const components: Record<string, JsonSchema> = {};

  const nameOf = (place: string, schema: JsonSchema): string => {
    const shape = JSON.stringify(schema);
    const known = names.get(shape);
    if (known) return known;
    const name = given[place] ?? pascal(place);
    if (components[name]) throw new Error(`Two schemas are called ${name}: add a name for ${place}.`);
    components[name] = schema;
    names.set(shape, name);
    return name;
  };

  const inside = (place: string, schema: JsonSchema): JsonSchema => {
    const { properties, items, additionalProperties: value } = schema as Readonly<Record<string, JsonSchema | undefined>>;
    const entries = Object.entries((properties ?? {}) as Readonly<Record<string, JsonSchema>>);
    const forms = formsOf(schema);
    return explicit({
      ...schema,
      properties: properties && Object.fromEntries(entries.map(([name, part]) => [name, of(`${place}.${name}`, part)])),
      items: items && of(`${place}.item`, items),
      // A map of a union and null makes generators invent a second, nameless union.
      additionalProperties: typeof value === 'object' ? of(`${place}.value`, value, 'anyOf' in value) : value,
      anyOf: forms.length > 0 ? forms.map((form, at) => of(`${place}.${at}`, form)) : undefined,
    });
  };

  const of = (place: string, schema: JsonSchema, keepsNull = false): JsonSchema => {
    const whole = inside(place, schema);
    if (!needsName(whole)) return whole;
    const [{ description, default: standard, ...shape }, nullable] = keepsNull ? [whole, false] : withoutNull(whole);
    const reference = ref(nameOf(place, shape));
    return defined({ ...(nullable ? { anyOf: [reference, { type: 'null' }] } : reference), default: standard, description });
  };

  return { of: (place, schema) => of(place, schema), inside, components };
};

type Named = Readonly<Record<string, Node>>;

/**
 * A part of the document outside schemas: a path, an operation, a parameter, a response, a header
 * or a media type.
 */
interface Node extends JsonSchema {
  readonly name?: string;
  readonly operationId?: string;
  readonly schema?: JsonSchema | undefined;
  readonly parameters?: readonly Node[] | undefined;
  readonly responses?: Named | undefined;
  readonly headers?: Named | undefined;
  readonly content?: Named | undefined;
}

export interface Parts extends JsonSchema {
  readonly paths: Readonly<Record<string, Named>>;
  readonly components: Readonly<Record<'parameters' | 'headers' | 'responses' | 'securitySchemes', Named>> & {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}

const byName = <Value>(entries: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));

const mapped = <Value, Result>(
  parts: Readonly<Record<string, Value>>,
  change: (part: Value, name: string) => Result,
): Readonly<Record<string, Result>> => Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(part, name)]));

/**
 * Returns the document with every schema in the form that generators of clients can read. It
 * describes the same values.
 */
export const portable = (document: Parts): JsonSchema => {
  const naming = createNaming();
  const { schemas, responses, parameters, headers } = document.components;
  const schemaOf = (place: string, node: Node): Node => (node.schema ? { ...node, schema: naming.of(place, node.schema) } : node);
  const response = (place: string, node: Node): Node => ({
    ...node,
    headers: node.headers && mapped(node.headers, (header, name) => schemaOf(`${place}.${name}`, header)),
    content: node.content && mapped(node.content, (content) => schemaOf(place, content)),
  });
  const operation = (node: Node): Node => ({
    ...node,
    parameters: node.parameters?.map((one) => schemaOf(`${node.operationId}.${one.name}`, one)),
    responses: node.responses && mapped(node.responses, (one, status) => response(`${node.operationId}.${status}`, one)),
  });
  const named = mapped(byName(schemas), (schema, name) => naming.inside(name, schema));
  const paths = mapped(document.paths, (item) => mapped(item, (one) => ('operationId' in one ? operation(one) : one)));
  const components = {
    parameters: mapped(parameters, (one, name) => schemaOf(name, one)),
    headers: mapped(headers, (one, name) => schemaOf(name, one)),
    responses: mapped(responses, (one, name) => response(name, one)),
  };
  const unused = Object.values(given).filter((name) => !(name in naming.components));
  if (unused.length > 0) throw new Error(`No schema is called ${unused.join(', ')}.`);
  const clash = Object.keys(naming.components).filter((name) => name in schemas);
  if (clash.length > 0) throw new Error(`Two schemas are called ${clash.join(', ')}.`);
  const all = byName({ ...named, ...naming.components });
  return { ...document, paths, components: { ...document.components, ...components, schemas: all } };
};
