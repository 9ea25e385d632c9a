import type { GenericSchema } from 'valibot';
import type { ErrorCode } from '../../shared/core/errors.ts';
import type { SchemaNode } from '../../shared/core/schema-node.ts';
import type { Stage } from '../examples/stage.ts';

/** What the route table does not say of an operation. */
export interface OperationWords {
  readonly summary: string;
  readonly description: string;
  readonly success: string;
  /** The body of success; `list` puts it in the page envelope. */
  readonly body: GenericSchema | { readonly list: GenericSchema };
  /** Codes that the operation answers itself, and when where it is worth saying. */
  readonly errors?: Readonly<Partial<Record<ErrorCode, string>>>;
  /** Query parameters whose meaning is the operation's own. */
  readonly query?: Readonly<Record<string, string>>;
}

export interface EventWords {
  readonly summary: string;
  readonly description: string;
  readonly object: GenericSchema;
}

/** What fields of a body are: what the answer's shape says of them, unless they are something else in a body. */
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

/** All that the document says of a resource beside its schemas. */
export interface ResourceWords {
  /** The heading of its operations. */
  readonly group?: { readonly name: string; readonly description: string };
  readonly operations?: Readonly<Record<string, OperationWords>>;
  /** What members of request bodies are, by the name of their object. */
  readonly inputs?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly events?: Readonly<Record<string, EventWords>>;
  /** Sends what the document shows of its operations. */
  examples?(stage: Stage): Promise<void>;
}

export const freeText = 'Free text, without HTML.';
const reservedNames = 'A field named `__proto__`, `prototype` or `constructor` is `invalid_value`.';
export const metadataText = `The caller's own texts by name; none when absent. ${reservedNames}`;
export const sessionIdText = "`{CHECKOUT_SESSION_ID}` in its path, query or fragment, written like that, becomes the session's id.";
export const fieldValues = `Values by key of the custom field; keys that the account has not defined are rejected. None when absent. ${reservedNames}`;

export const exact = 'Exact match.';
export const mayBeShort = 'pages may be shorter than `limit`.';

/** Query parameters that mean the same everywhere. */
export const commonParameters: Readonly<Record<string, string>> = {
  limit:
    'Records per page. A fraction is cut off (1.9 is 1). 0 and negative numbers become 1, and numbers above 100 become 100. Anything that is not a decimal number (`0x10`, an empty value) becomes 50.',
  cursor: '`next_cursor` of the page before, verbatim, with all other parameters unchanged.',
  updated_after:
    'Records saved then or later, latest save first; the last record of the previous sync therefore comes again. A date is its midnight in UTC. With another filter pages may be shorter than `limit`.',
};
