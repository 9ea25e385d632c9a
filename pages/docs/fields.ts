import { type Html, html, joinHtml } from '../../shared/core/html.ts';
import type { Parameter, Resolve, Schema } from './document.ts';
import { renderInline } from './markdown.ts';

const code = (value: unknown): Html => html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`;

const typesOf = ({ type }: Schema): readonly string[] => (type === undefined ? [] : [type].flat());

/** Returns a type in words, for example `array of objects or null`. */
const typeText = (schema: Schema, resolve: Resolve): string => {
  const { anyOf, items, format, ...node } = resolve(schema);
  if (anyOf && !node.type) return [...new Set(anyOf.map((one) => typeText(one, resolve)))].join(' or ');
  const named = (type: string) => {
    if (type === 'array' && items) return `array of ${typeText(items, resolve).replace(/^(\w+)/, '$1s')}`;
    return type === 'string' && format ? `${type} (${format})` : type;
  };
  const types = typesOf(node).map(named);
  return types.length > 0 ? types.join(' or ') : typeof node.const;
};

/** Describes a range by the bounds that exist: `1 to 255 characters`. */
const range = (min: unknown, max: unknown, unit: string): string[] => {
  if (min !== undefined && max !== undefined) return [`${min} to ${max}${unit}`];
  if (min !== undefined) return [`at least ${min}${unit}`];
  return max === undefined ? [] : [`at most ${max}${unit}`];
};

/** Longer patterns are not shown: the description says more. */
const longestPattern = 60;

const list = (values: readonly unknown[]): Html => joinHtml(values.filter((value) => value !== null).map(code), ', ');

/** Removes repetitions. */
const different = (parts: readonly (Html | string)[]): readonly Html[] => [
  ...new Map(parts.map((part) => [html`${part}`.markup, html`${part}`])).values(),
];

/** Describes the constraints of a value other than its type. */
const boundsOf = (schema: Schema, resolve: Resolve): readonly (Html | string)[] => {
  const node = resolve(schema);
  const inner = node.items && resolve(node.items);
  const values = typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined;
  const of = (label: string, part: Schema | undefined) => part && boundsOf(part, resolve).map((text) => html`${label}: ${text}`);
  return [
    node.const !== undefined && html`always ${code(node.const)}`,
    node.enum && html`one of ${list(node.enum)}`,
    node['x-extensible-enum'] && html`one of ${list(node['x-extensible-enum'])}; more may be added`,
    ...range(node['minLength'], node['maxLength'], ' characters'),
    ...range(node['minItems'], node['maxItems'], ' entries'),
    ...range(node['minProperties'], node['maxProperties'], ' fields'),
    ...range(node['minimum'], node['maximum'], ''),
    node['exclusiveMinimum'] !== undefined && `above ${node['exclusiveMinimum']}`,
    node['exclusiveMaximum'] !== undefined && `below ${node['exclusiveMaximum']}`,
    node.pattern && node.pattern.length < longestPattern && html`matches ${code(node.pattern)}`,
    of('names', node.propertyNames),
    values && `values: ${typeText(values, resolve)}`,
    of('values', values),
    of('each', inner?.properties ? undefined : inner),
    !node.type && node.anyOf && different(node.anyOf.flatMap((one) => boundsOf(one, resolve))),
    node.default !== undefined && html`default ${code(node.default)}`,
  ]
    .flat()
    .filter((part): part is Html | string => Boolean(part));
};

/** The objects in a value: the value itself, its entries, or its alternatives. */
const objectsIn = (schema: Schema, resolve: Resolve): readonly Schema[] => {
  const node = resolve(schema);
  if (node.properties) return [node];
  return [...(node.items ? [node.items] : []), ...(node.anyOf ?? [])].flatMap((one) => objectsIn(one, resolve));
};

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly description: string;
  /** Location of a parameter, for example `query`. */
  readonly location?: string;
  readonly note: 'required' | 'may be absent' | '';
}

const item = ({ name, schema, location, note, description }: Field, resolve: Resolve, ask: boolean): Html => {
  const objects = objectsIn(schema, resolve);
  const nested = objects.map(
    (one, i) =>
      html`<details><summary>Fields of <code>${name}</code>${objects.length > 1 ? `, form ${i + 1}` : ''}</summary>${fieldsOf(one, resolve, ask)}</details>`,
  );
  const bounds = boundsOf(schema, resolve);
  const type = [typeText(schema, resolve), location].filter(Boolean).join(', ');
  return html`<li><p class="name"><code>${name}</code> <span>${type}</span>${note && html` <em${note === 'required' && html` class="required"`}>${note}</em>`}</p>
<p>${renderInline(description)}</p>${bounds.length > 0 && html`<p class="bounds">${joinHtml(bounds, '; ')}</p>`}${nested}</li>`;
};

const listOf = (fields: readonly Field[], resolve: Resolve, ask: boolean): Html =>
  html`<ul class="fields">${joinHtml(
    fields.map((field) => item(field, resolve, ask)),
    '\n',
  )}</ul>`;

/** Lists the fields of a schema. `ask` marks the fields that must be sent. */
export const fieldsOf = (schema: Schema, resolve: Resolve, ask = false): readonly Html[] =>
  objectsIn(schema, resolve).map((one) => {
    const { properties = {}, required = [] } = one;
    const fields = Object.entries(properties).map(([name, field]): Field => {
      const { description = resolve(field).description ?? '' } = field;
      const isRequired = required.includes(name);
      return { name, schema: field, note: ask && isRequired ? 'required' : !ask && !isRequired ? 'may be absent' : '', description };
    });
    return listOf(fields, resolve, ask);
  });

export const parametersOf = (parameters: readonly Parameter[], resolve: Resolve): Html =>
  listOf(
    parameters.map(({ name, in: location, required, schema, description }) => ({
      name,
      schema,
      location,
      note: required ? 'required' : '',
      description,
    })),
    resolve,
    true,
  );
