import { type GenericSchema, getDescription } from 'valibot';
import type { Action } from '../functions/actions/action.ts';
import { type ActionName, actionTable } from '../functions/actions/index.ts';
import { absentTypes, nullTypes, type SchemaNode } from '../shared/core/schema-node.ts';
import { customer } from '../shared/domain/customer/fields.ts';
import { customerInputSchema } from '../shared/domain/customer/input.ts';
import { expense, expenseEventObject } from '../shared/domain/expense/fields.ts';
import { inventoryItem } from '../shared/domain/inventory/fields.ts';
import { order } from '../shared/domain/order/fields.ts';
import { orderInputSchema } from '../shared/domain/order/input.ts';
import { payment } from '../shared/domain/payment/fields.ts';
import { product } from '../shared/domain/product/fields.ts';
import { quickSale } from '../shared/domain/quick-sale/fields.ts';
import type { CreatedByApi } from './event-causes.ts';
import { examples, meanings, nouns } from './words.ts';

/** Returns the last schema of a pipe, which decides what the pipe accepts. */
const lastSchema = ({ pipe = [] }: SchemaNode): SchemaNode | undefined => pipe.findLast(({ kind }) => kind === 'schema');

/** A value of each JSON type, to try schemas that depend on the type. */
const samples = ['', 0, true, null, [], {}];

const describeNode = (node: SchemaNode): string => {
  const piped = lastSchema(node);
  if (piped) return describeNode(piped);
  if (node.wrapped) return `${describeNode(node.wrapped)}${nullTypes.has(node.type) ? ' | null' : ''}`;
  if (node.getter) {
    const taken = samples.map(node.getter).filter(({ type }) => type !== 'never');
    return [...new Set(taken.map(describeNode))].join(' | ');
  }
  if (node.type === 'record' && node.value) return `{ …: ${describeNode(node.value)} }`;
  if (node.entries) return `{ ${fieldsOfNode(node).map(written).join(', ')} }`;
  if (node.item) return `[${describeNode(node.item)}]`;
  if (node.type === 'picklist') return (node.options ?? []).map((option) => JSON.stringify(option)).join(' | ');
  if (node.type === 'union') return (node.options ?? []).map((option) => describeNode(option as SchemaNode)).join(' | ');
  return node.type === 'unknown' ? 'any' : node.type;
};

/**
 * The fields of an object by name, with the fields of each one's value. Null means any value: not an
 * object, or a free-form one.
 */
export interface Names {
  readonly [name: string]: Names | null;
}

const namesIn = (node: SchemaNode): Names | null => {
  const piped = lastSchema(node);
  const inner = piped ?? node.wrapped ?? node.item;
  if (inner) return namesIn(inner);
  if (node.getter) {
    const objects = [...samples, { id: '' }].map(node.getter).map(namesIn).filter(Boolean);
    return objects.length > 0 ? Object.assign({}, ...objects) : null;
  }
  if (!node.entries || node.rest) return null;
  return Object.fromEntries(Object.entries(node.entries).map(([name, field]) => [name, namesIn(field)]));
};

interface Field {
  readonly name: string;
  readonly isOptional: boolean;
  /** Type in words, for example `string | null` or `[{ name: string }]`. */
  readonly type: string;
}

const written = ({ name, isOptional, type }: Field): string =>
  name === '…' && type === 'any' ? name : `${name}${isOptional ? '?' : ''}: ${type}`;

const fieldsOfNode = (node: SchemaNode): Field[] => [
  ...Object.entries(node.entries ?? {}).map(([name, field]) => ({
    name,
    isOptional: absentTypes.has(field.type),
    type: describeNode(field),
  })),
  ...(node.rest ? [{ name: '…', isOptional: false, type: describeNode(node.rest) }] : []),
];

const fieldsOf = (schema: GenericSchema): readonly Field[] => {
  const node = schema as unknown as SchemaNode;
  return fieldsOfNode(lastSchema(node) ?? node);
};

/** Returns the fields of an object schema, each as `name?: type`. */
export const describeInput = (schema: GenericSchema): readonly string[] => fieldsOf(schema).map(written);

/** Help of an action. */
export interface DescribedAction {
  readonly name: string;
  readonly summary: string;
  /**
   * `required`: --account names the account; `self`: --account or the input's `id` does; `none`:
   * the action belongs to no account.
   */
  readonly account: Action['account'];
  /** Whether the action only reads. */
  readonly reads: boolean;
  readonly fields: readonly (Field & { readonly meaning: string })[];
  /** The fields at every depth. */
  readonly names: Names;
  readonly example: Readonly<Record<string, unknown>>;
}

/** Content of `ops/actions.json`. */
export interface DescribedActions {
  readonly nouns: Readonly<Record<string, string>>;
  readonly actions: readonly DescribedAction[];
  /** Fields of the bodies that `ops trigger` sends to the REST API, at every depth. */
  readonly bodies: Readonly<Record<CreatedByApi, Names>>;
}

/** Fields of responses and events, by the noun of the actions that change them. */
const records: Readonly<Record<string, Readonly<Record<string, GenericSchema>>>> = {
  customer: customer.entries,
  expense: { ...expenseEventObject.entries, ...expense.entries },
  inventory: inventoryItem.entries,
  order: order.entries,
  payment: payment.entries,
  product: product.entries,
  quick_sale: quickSale.entries,
};

const descriptionOf = (field: GenericSchema): string | undefined => {
  const { wrapped } = field as unknown as SchemaNode;
  return getDescription(field) ?? (wrapped && descriptionOf(wrapped as unknown as GenericSchema));
};

/**
 * Returns the meaning of a field: its words in `words.ts`, otherwise the description in the API.
 * Throws if it has neither.
 */
const meaningOf = (action: string, account: Action['account'], name: string): string => {
  if (account === 'self' && name === 'id') return "The account's id, unless --account names it";
  const [noun = ''] = action.split('.', 1);
  const field = records[noun]?.[name];
  const words = meanings[`${action}.${name}`] ?? meanings[`${noun}.${name}`] ?? meanings[name];
  const meaning = words ?? (field && descriptionOf(field)?.replace(/\.$/, ''));
  if (meaning === undefined) throw new Error(`ops/words.ts has no meaning for ${name} of ${action}.`);
  return meaning;
};

const namesOf = (schema: GenericSchema): Names => namesIn(schema as unknown as SchemaNode) ?? {};

/** Returns the content of `ops/actions.json`. */
export const describeActions = (): DescribedActions => ({
  nouns,
  actions: Object.entries(actionTable).map(([name, action]) => ({
    name,
    summary: action.summary,
    account: action.account,
    reads: 'read' in action,
    fields: fieldsOf(action.input).map((field) => ({ ...field, meaning: meaningOf(name, action.account, field.name) })),
    names: namesOf(action.input),
    example: examples[name as ActionName],
  })),
  bodies: { order: namesOf(orderInputSchema), customer: namesOf(customerInputSchema) },
});
