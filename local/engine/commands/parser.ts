import { validation } from './errors.ts';
import { reservedWords } from './reserved-words.ts';
import { Unsupported } from './values.ts';

/** A document path: names, placeholders of names (`#…`), and list positions such as `[0]`. */
export type Path = readonly string[];

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** A condition in a form that the stores use. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'exists' | 'missing'; readonly path: Path }
  | { readonly kind: 'begins'; readonly path: Path; readonly value: string }
  | { readonly kind: 'typed'; readonly path: Path; readonly value: string }
  | { readonly kind: 'compare'; readonly path: Path; readonly sized: boolean; readonly by: Comparator; readonly value: string }
  | { readonly kind: 'between'; readonly path: Path; readonly least: string; readonly greatest: string };

/** The right side of an assignment. */
export type Operand =
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'ifNotExists'; readonly path: Path; readonly otherwise: Operand }
  | { readonly kind: 'append'; readonly left: Operand; readonly right: Operand }
  | { readonly kind: '+' | '-'; readonly left: Operand; readonly right: Operand };

export interface Update {
  readonly set: readonly { readonly path: Path; readonly to: Operand }[];
  readonly remove: readonly Path[];
  readonly add: readonly { readonly path: Path; readonly value: string }[];
}

/** A parsed expression and the placeholders in it. */
export interface Parsed<Tree> {
  readonly tree: Tree;
  readonly placeholders: ReadonlySet<string>;
}

const tokenPattern = /\s*([#:][A-Za-z0-9_]+|[A-Za-z_][A-Za-z0-9_]*|\[\d+]|<>|<=|>=|[=<>(),.+-])/y;
const keywords = new Set(['AND', 'OR', 'NOT', 'BETWEEN', 'SET', 'REMOVE', 'ADD']);
const functions = new Set([
  'attribute_exists',
  'attribute_not_exists',
  'attribute_type',
  'begins_with',
  'size',
  'if_not_exists',
  'list_append',
]);

const tokensOf = (text: string): string[] => {
  const tokens: string[] = [];
  tokenPattern.lastIndex = 0;
  const end = text.trimEnd().length;
  for (let at = 0; at < end; at = tokenPattern.lastIndex) {
    const token = tokenPattern.exec(text)?.[1];
    if (token === undefined) throw new Unsupported(`The engine does not read "${text}" at ${at}.`);
    tokens.push(token);
  }
  return tokens;
};

/** Parses one expression. */
class Reader {
  readonly placeholders = new Set<string>();
  readonly #text: string;
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokensOf(text);
  }

  get next(): string | undefined {
    return this.#tokens[this.#at];
  }

  unsupported(): Unsupported {
    return new Unsupported(`The engine does not read "${this.#text}" at "${this.next ?? 'its end'}".`);
  }

  take(): string {
    const token = this.next;
    if (token === undefined) throw this.unsupported();
    this.#at += 1;
    return token;
  }

  takeIf(token: string): boolean {
    if (this.next !== token) return false;
    this.#at += 1;
    return true;
  }

  expect(token: string): void {
    if (!this.takeIf(token)) throw this.unsupported();
  }

  value(): string {
    if (!this.next?.startsWith(':')) throw this.unsupported();
    const value = this.take();
    this.placeholders.add(value);
    return value;
  }

  path(): Path {
    const names: string[] = [];
    do {
      const name = this.next ?? '';
      if (!/^[#A-Za-z_]/.test(name) || keywords.has(name) || functions.has(name)) throw this.unsupported();
      if (name.startsWith('#')) this.placeholders.add(name);
      else if (reservedWords.has(name.toLowerCase())) throw validation(`Attribute name is a reserved keyword: ${name}`);
      names.push(this.take());
      while (this.next?.startsWith('[')) names.push(this.take());
    } while (this.takeIf('.'));
    return names;
  }

  end(): void {
    if (this.next !== undefined) throw this.unsupported();
  }
}

const readSubject = (reader: Reader): Condition => {
  const sized = reader.takeIf('size');
  if (sized) reader.expect('(');
  const path = reader.path();
  if (sized) reader.expect(')');
  if (!sized && reader.takeIf('BETWEEN')) {
    const least = reader.value();
    reader.expect('AND');
    return { kind: 'between', path, least, greatest: reader.value() };
  }
  const by = reader.take();
  if (!['=', '<>', '<', '<=', '>', '>='].includes(by)) throw reader.unsupported();
  return { kind: 'compare', path, sized, by: by as Comparator, value: reader.value() };
};

const readTerm = (reader: Reader): Condition => {
  if (reader.takeIf('NOT')) return { kind: 'not', of: readTerm(reader) };
  if (reader.takeIf('(')) {
    const doubled = reader.next === '(';
    const inner = readOr(reader);
    reader.expect(')');
    if (doubled && inner.kind !== 'and' && inner.kind !== 'or') throw validation('The expression has redundant parentheses');
    return inner;
  }
  for (const [name, kind] of [
    ['attribute_exists', 'exists'],
    ['attribute_not_exists', 'missing'],
  ] as const) {
    if (!reader.takeIf(name)) continue;
    reader.expect('(');
    const path = reader.path();
    reader.expect(')');
    return { kind, path };
  }
  const kind = reader.takeIf('begins_with') ? 'begins' : reader.takeIf('attribute_type') ? 'typed' : undefined;
  if (!kind) return readSubject(reader);
  reader.expect('(');
  const path = reader.path();
  reader.expect(',');
  const value = reader.value();
  reader.expect(')');
  return { kind, path, value };
};

const readAnd = (reader: Reader): Condition => {
  let left = readTerm(reader);
  while (reader.takeIf('AND')) left = { kind: 'and', left, right: readTerm(reader) };
  return left;
};

const readOr = (reader: Reader): Condition => {
  let left = readAnd(reader);
  while (reader.takeIf('OR')) left = { kind: 'or', left, right: readAnd(reader) };
  return left;
};

const readOperand = (reader: Reader): Operand => {
  if (reader.next?.startsWith(':')) return { kind: 'value', value: reader.value() };
  if (reader.takeIf('if_not_exists')) {
    reader.expect('(');
    const path = reader.path();
    reader.expect(',');
    const otherwise = readOperand(reader);
    reader.expect(')');
    return { kind: 'ifNotExists', path, otherwise };
  }
  if (reader.takeIf('list_append')) {
    reader.expect('(');
    const left = readOperand(reader);
    reader.expect(',');
    const right = readOperand(reader);
    reader.expect(')');
    return { kind: 'append', left, right };
  }
  return { kind: 'path', path: reader.path() };
};

const readAssignment = (reader: Reader): Update['set'][number] => {
  const path = reader.path();
  reader.expect('=');
  const left = readOperand(reader);
  if (reader.next !== '+' && reader.next !== '-') return { path, to: left };
  const kind = reader.take() as '+' | '-';
  return { path, to: { kind, left, right: readOperand(reader) } };
};

const listOf = <Entry>(reader: Reader, read: (reader: Reader) => Entry): Entry[] => {
  const entries = [read(reader)];
  while (reader.takeIf(',')) entries.push(read(reader));
  return entries;
};

const readUpdate = (reader: Reader): Update => {
  const update: { set?: Update['set']; remove?: Update['remove']; add?: Update['add'] } = {};
  while (reader.next !== undefined) {
    if (!update.set && reader.takeIf('SET')) update.set = listOf(reader, readAssignment);
    else if (!update.remove && reader.takeIf('REMOVE')) update.remove = listOf(reader, (one) => one.path());
    else if (!update.add && reader.takeIf('ADD')) update.add = listOf(reader, (one) => ({ path: one.path(), value: one.value() }));
    else throw reader.unsupported();
  }
  return { set: update.set ?? [], remove: update.remove ?? [], add: update.add ?? [] };
};

/** Caches parsed expressions, because the stores use few of them very often. */
const remembering = <Tree>(read: (reader: Reader) => Tree): ((text: string) => Parsed<Tree>) => {
  const known = new Map<string, Parsed<Tree>>();
  return (text) => {
    const found = known.get(text);
    if (found) return found;
    const reader = new Reader(text);
    const tree = read(reader);
    reader.end();
    const parsed = { tree, placeholders: reader.placeholders };
    known.set(text, parsed);
    return parsed;
  };
};

export const parseCondition = remembering(readOr);
export const parseUpdate = remembering(readUpdate);
export const parseProjection = remembering((reader) => listOf(reader, (one) => one.path()));
