/**
 * The commands of CloudWatch Logs Insights that the runbook's queries use, as AWS documents them. It
 * throws for everything else, and where the documentation does not say what a query returns.
 */

type Value = string | number;
export type Row = Readonly<Record<string, Value>>;

export interface LogEvent {
  readonly atMs: number;
  /** `<AWS account>:<log group>` */
  readonly log: string;
  readonly logStream: string;
  /** A line of JSON. */
  readonly message: string;
}

type Evaluate<Result> = (row: Row) => Result;
type Command = (rows: readonly Row[]) => readonly Row[];

/** Insights flattens JSON to dotted names and writes booleans as 1 and 0. A null is no field. */
const flatten = (value: unknown, name: string): readonly (readonly [string, Value])[] => {
  if (value === null || value === undefined) return [];
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([inner, one]) => flatten(one, name === '' ? inner : `${name}.${inner}`));
  return [[name, typeof value === 'boolean' ? Number(value) : (value as Value)]];
};

const rowOf = ({ atMs, log, logStream, message }: LogEvent): Row => ({
  ...Object.fromEntries(flatten(JSON.parse(message), '')),
  ...{ '@timestamp': atMs, '@log': log, '@logStream': logStream, '@message': message },
});

const isNumeric = (value: Value): boolean => typeof value === 'number' || /^-?\d+(\.\d+)?$/.test(value);

const tokenPattern = /\s*("[^"]*"|\d+(?:\.\d+)?|@?[A-Za-z_][\w.]*|!=|>=|<=|[=<>(),|*])/y;

const tokensOf = (text: string): readonly string[] => {
  const tokens: string[] = [];
  const end = text.trimEnd().length;
  for (tokenPattern.lastIndex = 0; tokenPattern.lastIndex < end; ) {
    const at = tokenPattern.lastIndex;
    const [, token] = tokenPattern.exec(text) ?? [];
    if (token === undefined) throw new Error(`Not understood: ${text.slice(at)}`);
    tokens.push(token);
  }
  return tokens;
};

const compare = (value: Value | undefined, operator: string, literal: Value): boolean => {
  if (value === undefined && operator === '!=') throw new Error('AWS does not say whether an absent field differs from a value.');
  if (value === undefined) return false;
  const [one, other] = isNumeric(value) && isNumeric(literal) ? [Number(value), Number(literal)] : [value, literal];
  if (operator === '=') return one === other;
  if (operator === '!=') return one !== other;
  if (typeof one !== 'number' || typeof other !== 'number') throw new Error(`AWS does not say how ${one} ${operator} ${other} compares.`);
  if (operator === '>=') return one >= other;
  if (operator === '<=') return one <= other;
  return operator === '>' ? one > other : one < other;
};

const aggregates: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  avg: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  max: (values) => Math.max(...values),
};

/** Newest first, unless the query sorts. */
const sorted = (rows: readonly Row[], name: string, direction: string): readonly Row[] => {
  const keyOf = (row: Row): number => {
    const key = row[name];
    if (typeof key !== 'number') throw new Error(`AWS does not say where a row without a number in ${name} is sorted.`);
    return key;
  };
  const ordered = rows.toSorted((a, b) => (direction === 'asc' ? keyOf(a) - keyOf(b) : keyOf(b) - keyOf(a)));
  const [first, second] = ordered;
  if (first && second && first[name] === second[name]) throw new Error(`Two rows are first by ${name}, and AWS does not say which.`);
  return ordered;
};

class Reader {
  readonly named = new Set<string>();
  readonly #aliases = new Set<string>();
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  get next(): string | undefined {
    return this.#tokens[this.#at];
  }

  take(expected?: string | RegExp): string {
    const token = this.next;
    const isExpected = expected === undefined || (typeof expected === 'string' ? token === expected : expected.test(token ?? ''));
    if (token === undefined || !isExpected) throw new Error(`Not understood at ${token ?? 'the end'}: ${this.#tokens.join(' ')}`);
    this.#at += 1;
    return token;
  }

  skip(token: string): boolean {
    if (this.next !== token) return false;
    this.#at += 1;
    return true;
  }

  list<One>(read: () => One): readonly One[] {
    const all = [read()];
    while (this.skip(',')) all.push(read());
    return all;
  }

  field(): string {
    const name = this.take(/^@?[A-Za-z_][\w.]*$/);
    if (!this.#aliases.has(name)) this.named.add(name);
    return name;
  }

  alias(): string {
    this.take('as');
    const name = this.take(/^[a-z]\w*$/);
    this.#aliases.add(name);
    return name;
  }

  literal(): Value {
    const token = this.take(/^("|\d)/);
    return token.startsWith('"') ? token.slice(1, -1) : Number(token);
  }

  /** A condition of `filter`: `not` binds closer than `and`, and `and` closer than `or`. */
  condition(): Evaluate<boolean> {
    const parts = [this.#all()];
    while (this.skip('or')) parts.push(this.#all());
    return (row) => parts.some((holds) => holds(row));
  }

  #all(): Evaluate<boolean> {
    const parts = [this.#one()];
    while (this.skip('and')) parts.push(this.#one());
    return (row) => parts.every((holds) => holds(row));
  }

  #one(): Evaluate<boolean> {
    if (this.skip('not')) {
      const holds = this.#one();
      return (row) => !holds(row);
    }
    if (this.skip('(')) {
      const holds = this.condition();
      this.take(')');
      return holds;
    }
    if (this.skip('ispresent')) {
      const name = this.#argument();
      return (row) => row[name] !== undefined;
    }
    const [name, operator, literal] = [this.field(), this.take(/^(=|!=|>=|<=|>|<)$/), this.literal()];
    return (row) => compare(row[name], operator, literal);
  }

  #argument(): string {
    this.take('(');
    const name = this.field();
    this.take(')');
    return name;
  }

  /** A field of `fields`, or `coalesce(…) as name`, which adds a field. */
  shown(): Evaluate<Row> {
    if (!this.skip('coalesce')) {
      this.field();
      return (row) => row;
    }
    this.take('(');
    const names = this.list(() => this.field());
    this.take(')');
    const alias = this.alias();
    return (row) => {
      const found = names.map((name) => row[name]).find((value) => value !== undefined);
      return found === undefined ? row : { ...row, [alias]: found };
    };
  }

  /** An aggregation of `stats` with its name. */
  aggregate(): readonly [string, (rows: readonly Row[]) => number | undefined] {
    const name = this.take(/^(count|sum|avg|max)$/);
    if (name === 'count') {
      for (const token of ['(', '*', ')']) this.take(token);
      return [this.alias(), (rows) => rows.length];
    }
    const of = this.#argument();
    const ofRows = (rows: readonly Row[]): number | undefined => {
      const values = rows.flatMap((row) => (row[of] === undefined ? [] : [Number(row[of])]));
      if (values.some(Number.isNaN)) throw new Error(`AWS does not say what ${name} returns for a text in ${of}.`);
      return values.length > 0 ? aggregates[name]?.(values) : undefined;
    };
    return [this.alias(), ofRows];
  }
}

const readStats = (reader: Reader): Command => {
  const aggregated = reader.list(() => reader.aggregate());
  reader.take('by');
  const by = reader.list(() => reader.field());
  return (rows) => {
    const groups = Map.groupBy(rows, (row) => JSON.stringify(by.map((name) => row[name] ?? null)));
    return [...groups.values()].map((grouped) => {
      const found = [
        ...by.map((name) => [name, grouped[0]?.[name]] as const),
        ...aggregated.map(([alias, of]) => [alias, of(grouped)] as const),
      ];
      return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as Row;
    });
  };
};

const readCommand = (reader: Reader): Command => {
  const name = reader.take();
  if (name === 'fields') {
    const shown = reader.list(() => reader.shown());
    return (rows) => rows.map((row) => shown.reduce((one, show) => show(one), row));
  }
  if (name === 'filter') {
    const holds = reader.condition();
    return (rows) => rows.filter(holds);
  }
  if (name === 'stats') return readStats(reader);
  if (name === 'sort') {
    const [field, direction] = [reader.field(), reader.take(/^(asc|desc)$/)];
    return (rows) => sorted(rows, field, direction);
  }
  if (name === 'limit') {
    const count = Number(reader.take(/^\d+$/));
    return (rows) => rows.slice(0, count);
  }
  throw new Error(`Not understood: ${name}`);
};

/** Runs a query. Throws if no event has a field that it names. */
export const runQuery = (text: string, events: readonly LogEvent[]): readonly Row[] => {
  const reader = new Reader(text);
  const commands = [readCommand(reader)];
  while (reader.next !== undefined) {
    reader.take('|');
    commands.push(readCommand(reader));
  }
  const rows = events.map(rowOf);
  for (const name of reader.named) if (!rows.some((row) => row[name] !== undefined)) throw new Error(`No line has the field ${name}.`);
  const isSorted = /\|\s*sort /.test(text);
  return commands.reduce((found, command) => command(found), isSorted ? rows : sorted(rows, '@timestamp', 'desc'));
};
