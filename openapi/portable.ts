import { type Document, defined, type JsonSchema, mapped, type Named, type Node, pascal, ref, type Schema } from './json-schema.ts';

/**
 * Names for shapes that several places share, keyed by the first place; components come before
 * operations.
 */
const sharedNames: Readonly<Record<string, string>> = {
  'CheckoutInput.custom_fields': 'CustomFieldsInput',
  'CheckoutInput.custom_fields.value': 'CustomFieldValueInput',
  'CheckoutInput.delivery_address': 'AddressInput',
  'CheckoutInput.delivery_address.1': 'AddressFieldsInput',
  'CheckoutInput.delivery_type': 'DeliveryType',
  'CheckoutInput.metadata': 'MetadataInput',
  'Customer.address': 'Address',
  'Customer.address.1': 'AddressFields',
  'Customer.custom_fields': 'CustomFields',
  'Customer.custom_fields.value': 'CustomFieldValue',
  'Customer.metadata': 'Metadata',
  'CustomField.scopes.item': 'CustomFieldScope',
  'OfferedTimeSlot.type': 'TimeSlotType',
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

const notNull = (forms: readonly Schema[] = []): readonly Schema[] => forms.filter(({ type }) => type !== 'null');
const isMap = (schema: Schema): boolean => 'additionalProperties' in schema && !('properties' in schema);

/**
 * Whether generators need a name: for an enum, a map, or a union of more than one schema and null.
 */
const needsName = (schema: Schema): boolean => 'enum' in schema || isMap(schema) || notNull(schema.anyOf).length > 1;

/** Returns the schema without null, and whether it allowed null. */
const withoutNull = (schema: Schema): readonly [schema: Schema, nullable: boolean] => {
  const { anyOf, type, enum: values } = schema;
  const forms = notNull(anyOf);
  if (anyOf && forms.length < anyOf.length) return [{ ...schema, anyOf: forms }, true];
  if (typeof type !== 'object') return [schema, false];
  const only = type.find((one) => one !== 'null');
  return [defined({ ...schema, type: only, enum: values?.filter((value) => value !== null) }), true];
};

/**
 * Adds the type of a constant and the width of a number. Removes the pattern of a date-time,
 * because generated code has no text to match.
 */
const explicit = ({ pattern, ...schema }: Schema): Schema =>
  defined({
    ...(schema['const'] === undefined ? {} : { type: typeof schema['const'] }),
    ...schema,
    ...([schema.type].flat().includes('number') ? { format: 'double' } : {}),
    pattern: schema['format'] === 'date-time' ? undefined : pattern,
  });

/**
 * Names enums, maps and unions, because most generators make types of named schemas only. Equal
 * schemas share one name.
 */
const createNaming = () => {
  const names = new Map<string, string>();
  const components: Record<string, Schema> = {};

  const nameOf = (path: string, schema: Schema): string => {
    const shape = JSON.stringify(schema);
    const known = names.get(shape);
    if (known) return known;
    const name = sharedNames[path] ?? pascal(path);
    if (components[name]) throw new Error(`Two schemas are called ${name}: add a name for ${path}.`);
    components[name] = schema;
    names.set(shape, name);
    return name;
  };

  /** As `of`, for a schema that has a name already. */
  const inside = (path: string, schema: Schema): Schema => {
    const { properties, items, additionalProperties: value, anyOf } = schema;
    return explicit({
      ...schema,
      properties: properties && mapped(properties, (part, name) => of(`${path}.${name}`, part)),
      items: items && of(`${path}.item`, items),
      // A map of a union and null makes generators invent a second, nameless union.
      additionalProperties: typeof value === 'object' ? of(`${path}.value`, value, 'anyOf' in value) : value,
      anyOf: anyOf?.map((form, at) => of(`${path}.${at}`, form)),
    });
  };

  /** Returns the schema for the same values, with references to named schemas inside it. */
  const of = (path: string, schema: Schema, keepsNull = false): Schema => {
    const converted = inside(path, schema);
    if (!needsName(converted)) return converted;
    const [{ description, default: standard, ...shape }, nullable] = keepsNull ? [converted, false] : withoutNull(converted);
    const reference = ref(nameOf(path, shape));
    return defined({ ...(nullable ? { anyOf: [reference, { type: 'null' }] } : reference), default: standard, description });
  };

  return { of, inside, components };
};

const byName = <Value>(entries: Named<Value>): Named<Value> =>
  Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Returns the document with every schema in the form that generators of clients can read. It
 * describes the same values.
 */
export const portable = (document: Document): JsonSchema => {
  const naming = createNaming();
  const { schemas, ...others } = document.components;
  /** Names the schemas in a part. A media type has the place of its response. */
  const inside = (path: string, node: Node): Node =>
    defined({
      ...node,
      schema: node.schema && naming.of(path, node.schema),
      parameters: node.parameters?.map((one) => inside(`${path}.${one.name}`, one)),
      responses: node.responses && mapped(node.responses, (one, status) => inside(`${path}.${status}`, one)),
      headers: node.headers && mapped(node.headers, (one, name) => inside(`${path}.${name}`, one)),
      content: node.content && mapped(node.content, (one) => inside(path, one)),
    });
  const named = mapped(byName(schemas), (schema, name) => naming.inside(name, schema));
  const paths = mapped(document.paths, (item) => mapped(item, (one) => (one.operationId ? inside(one.operationId, one) : one)));
  const components = mapped(others, (parts) => mapped(parts, (one, name) => inside(name, one)));
  const unused = Object.values(sharedNames).filter((name) => !(name in naming.components));
  if (unused.length > 0) throw new Error(`No schema is called ${unused.join(', ')}.`);
  const clash = Object.keys(naming.components).filter((name) => name in schemas);
  if (clash.length > 0) throw new Error(`Two schemas are called ${clash.join(', ')}.`);
  return { ...document, paths, components: { schemas: byName({ ...named, ...naming.components }), ...components } };
};
