import type { GenericSchema } from 'valibot';
import type { ErrorCode } from '../../shared/core/errors.ts';
import type { SchemaNode } from '../../shared/core/schema-node.ts';
import type { Stage } from '../examples/stage.ts';
import { mapped } from '../json-schema.ts';

/** Texts and shapes of an operation that its route does not have. */
export interface OperationWords {
  readonly summary: string;
  readonly description: string;
  readonly success: string;
  /** Body of a successful response; `list` puts it into the page envelope. */
  readonly body: GenericSchema | { readonly list: GenericSchema };
  /** Codes that the operation itself returns, with a text if its meaning is particular. */
  readonly errors?: Readonly<Partial<Record<ErrorCode, string>>>;
  /** Query parameters that mean something else than elsewhere. */
  readonly query?: Readonly<Record<string, string>>;
}

interface EventTexts {
  readonly summary: string;
  readonly description: string;
  /** The payload, if it differs from that of the resource's other events. */
  readonly object?: GenericSchema;
}

export type EventWords = Required<EventTexts>;

/** Adds the payload to the events of a resource. */
export const eventsOf = <Type extends string>(
  object: GenericSchema,
  events: Readonly<Record<Type, EventTexts>>,
): Readonly<Record<Type, EventWords>> => mapped(events, (texts: EventTexts) => ({ object, ...texts }));

/**
 * Describes the fields of a request body: as the response describes them, unless `own` says
 * otherwise.
 */
export const sent = <Value extends object, Shown>(
  body: GenericSchema<unknown, Value>,
  shape: GenericSchema<unknown, Shown>,
  own: Readonly<Record<Exclude<keyof Value, keyof Shown>, string> & Partial<Record<keyof Value, string>>>,
): Readonly<Record<string, string>> => {
  const shown = entriesOf(shape as unknown as SchemaNode);
  const about = (name: string): readonly [string, string][] => {
    const text = own[name as keyof Value] ?? descriptionOf(shown[name]);
    return text === undefined ? [] : [[name, text]];
  };
  return Object.fromEntries(Object.keys(entriesOf(body as unknown as SchemaNode)).flatMap(about));
};

const entriesOf = ({ entries, pipe = [] }: SchemaNode): NonNullable<SchemaNode['entries']> =>
  entries ?? Object.assign({}, ...pipe.map(entriesOf));

const descriptionOf = (node: SchemaNode | undefined): string | undefined =>
  node?.pipe?.find(({ type }) => type === 'description')?.description ?? (node?.wrapped && descriptionOf(node.wrapped));

/** Texts of a resource in the document. */
export interface ResourceWords {
  /** The heading of its operations. */
  readonly group?: { readonly name: string; readonly description: string };
  readonly operations?: Readonly<Record<string, OperationWords>>;
  /** Meaning of the fields of request bodies, by the name of their schema. */
  readonly inputs?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly events?: Readonly<Record<string, EventWords>>;
  /** Sends the requests that the document shows as examples. */
  examples?(stage: Stage): Promise<void>;
}

/**
 * Descriptions of the objects that have none in the code: the parts of request bodies, and the maps
 * that several records share.
 */
export const objectTexts: Readonly<Record<string, string>> = {
  AddressFields: 'An address as texts by name, as the caller sent it.',
  AddressFieldsInput: 'An address as texts by name, for example `line1` and `city`.',
  CheckoutInput: 'A cart to pay on the hosted page.',
  CheckoutItemInput: 'A product of the cart and how many pieces of it.',
  CustomFields: 'Values of custom fields by key.',
  CustomFieldsInput: 'Values of custom fields by key. The account must have defined each key.',
  CustomerDetails: 'The customer of an order or checkout by details. An existing customer with the email is used.',
  CustomerInput: 'A customer to create.',
  CustomerReference: 'The customer of an order by id.',
  ExpenseInput: 'An expense to create.',
  ExpensePaymentInput: 'How an expense is paid. Every field is optional.',
  ExpenseTaxInput: 'Tax that the amount of an expense includes.',
  Metadata: 'Texts by name, which the caller chose.',
  MetadataInput: 'Texts of your own by name. The service stores and returns them.',
  OrderInput: 'An order to create, with its customer and payments.',
  OrderItemInput: 'A line of an order: a product of the catalog, or a name and a price.',
  PaymentGatewayReferenceInput: 'The gateway that took a payment, and its transaction.',
  PaymentInput: 'A payment to record with an order. The service takes no money for it.',
  PaymentMethodDetailsInput: 'Card or wallet that paid.',
  SupplierInput: 'Who was paid for an expense.',
  WebhookEndpointChanges: 'The fields of an endpoint to change. Absent fields stay.',
  WebhookEndpointInput: 'An endpoint to register.',
};

export const freeText = 'Free text, without HTML.';
const reservedNames = 'A field named `__proto__`, `prototype` or `constructor` is `invalid_value`.';
export const metadataText = `Texts of your own, by name. Empty when absent. ${reservedNames}`;
export const sessionIdText = "The service replaces `{CHECKOUT_SESSION_ID}` in its path, query or fragment with the session's id.";
export const fieldValues = `Values by key of the custom field. Keys that the account has not defined are rejected. Empty when absent. ${reservedNames}`;

export const exact = 'Exact match.';
export const mayBeShort = 'pages may be shorter than `limit`.';

/** Query parameters that mean the same everywhere. */
export const commonParameters: Readonly<Record<string, string>> = {
  limit:
    'Records per page. A fraction is cut off (1.9 becomes 1). 0 and negative numbers become 1, numbers above 100 become 100. Any other value (`0x10`, an empty value) becomes 50.',
  cursor: '`next_cursor` of the page before, unchanged, with all other parameters unchanged.',
  updated_after:
    'Records saved at this time or later, latest save first. The last record of the previous sync is returned again. A date means its midnight in UTC. With another filter, pages may be shorter than `limit`.',
};
