import type { GenericSchema } from 'valibot';
import { absentTypes, nullTypes, type SchemaNode } from '../openapi/json-schema.ts';

/** What is left of a pipe is what its last schema takes. */
const lastSchema = ({ pipe = [] }: SchemaNode): SchemaNode | undefined => pipe.findLast(({ kind }) => kind === 'schema');

/** Of every JSON type one, for schemas that look at the value first. */
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
  if (node.entries) return `{ ${membersOf(node).join(', ')} }`;
  if (node.item) return `[${describeNode(node.item)}]`;
  if (node.type === 'picklist') return (node.options ?? []).map((option) => JSON.stringify(option)).join(' | ');
  if (node.type === 'union') return (node.options ?? []).map((option) => describeNode(option as SchemaNode)).join(' | ');
  return node.type === 'unknown' ? 'any' : node.type;
};

const membersOf = (node: SchemaNode): string[] => [
  ...Object.entries(node.entries ?? {}).map(
    ([name, member]) => `${name}${absentTypes.has(member.type) ? '?' : ''}: ${describeNode(member)}`,
  ),
  ...(node.rest ? [`…: ${describeNode(node.rest)}`] : []),
];

/** The members of an object schema, as `name?: type` each. */
export const describeInput = (schema: GenericSchema): readonly string[] => {
  const node = schema as unknown as SchemaNode;
  return membersOf(lastSchema(node) ?? node);
};
