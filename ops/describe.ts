import type { GenericSchema } from 'valibot';
import type { Action } from '../functions/actions/action.ts';
import { actionTable } from '../functions/actions/index.ts';
import { absentTypes, nullTypes, type SchemaNode } from '../shared/core/schema-node.ts';

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

const width = 118;

/** Words in lines of at most `width` characters, each after the indent. */
const wrap = (words: readonly string[], indent: string): string => {
  const lines: string[] = [];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(indent + word);
  }
  return lines.join('\n');
};

const scopeOf: Readonly<Record<Action['account'], string>> = {
  required: '--account',
  self: '--account or id',
  none: 'no account',
};

const describeAction = (name: string, { summary, account, input }: Action): string => {
  const words = describeInput(input).join(', ').split(' ').filter(Boolean);
  return [`  ${name} (${scopeOf[account]})`, `      ${summary}`, ...(words.length > 0 ? [wrap(words, '        ')] : [])].join('\n');
};

/** All actions with their input, as `ops/actions.txt` holds them. */
export const describeActions = (): string =>
  `${Object.entries(actionTable)
    .map(([name, one]) => describeAction(name, one))
    .join('\n\n')}\n`;
