import fc from 'fast-check';
import { compare } from '../../../local/engine/commands/values.ts';

/**
 * Random commands of the forms that the stores send. They use few keys and attributes, so that they
 * affect each other. Conditions are true or false, updated attributes exist or not, and some values
 * have a wrong type.
 */

/** A command as data. */
export interface AnyCommand {
  readonly operation: 'Get' | 'Put' | 'Update' | 'Delete' | 'Query' | 'BatchGet' | 'TransactWrite';
  readonly input: Record<string, unknown>;
}

/** Values of the partition keys of the table and of the index `gsi1`. */
export const partitions = ['p', 'q'] as const;
export const indexPartitions = ['x', 'y'] as const;
const sorts = ['a', 'b', 'b#', 'c'] as const;

const key = fc.record({ pk: fc.constantFrom(...partitions), sk: fc.constantFrom(...sorts) });
const number = fc.constantFrom(0, 1, -1, 2, 0.1, 0.2, 1.005, 12_345.67);
const long = ['x'.repeat(1_100), 'é'.repeat(2_500)];
const text = fc.constantFrom('', 'a', 'b', 'é', '🍞', 'ab', ...long);
const scalar = fc.oneof(
  { weight: 5, arbitrary: number },
  { weight: 5, arbitrary: text },
  fc.constantFrom(null, true, false, Uint8Array.of(1, 2), Uint8Array.of(1, 3)),
);
const list = fc.array(scalar, { maxLength: 3 });
const map = fc.record({ x: number, y: scalar }, { requiredKeys: [] });
const marks = fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 3 }).map((numbers) => new Set(numbers));
const value = fc.oneof({ weight: 8, arbitrary: scalar }, list, map);
const mostly = <Usual>(usual: fc.Arbitrary<Usual>, weight = 9) => fc.oneof({ weight, arbitrary: usual }, value);

const item = fc
  .tuple(
    key,
    fc.record(
      {
        num: mostly(number),
        word: mostly(text),
        entries: fc.oneof({ weight: 9, arbitrary: list }, map),
        view: mostly(map),
        marks,
        pk1: mostly(fc.constantFrom(...indexPartitions), 30),
        sort: mostly(fc.constantFrom('1', '2', '3'), 30),
      },
      { requiredKeys: [] },
    ),
  )
  // Index entries with the same sort key have no defined order.
  .map(([keys, { sort, ...attributes }]) => ({
    ...keys,
    ...attributes,
    ...(sort === undefined || long.includes(sort as string)
      ? {}
      : { sk1: typeof sort === 'string' && sort !== '' ? `${sort}#${keys.pk}${keys.sk}` : sort }),
  }));

/** An expression. Each `?` stands for the next of its values. */
interface Expression {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Returns a command's expression fields, with placeholders for values and for the one reserved
 * word.
 */
const write = (expressions: Readonly<Record<string, Expression | null>>): Record<string, unknown> => {
  const present = Object.entries(expressions).flatMap(([name, expression]) => (expression ? [{ name, ...expression }] : []));
  const values: Record<string, unknown> = {};
  const entries = present.map(({ name, text, values: own }) => {
    const remaining = [...own];
    const numbered = text.replace(/\?/g, () => {
      const placeholder = `:v${Object.keys(values).length}`;
      values[placeholder] = remaining.shift();
      return placeholder;
    });
    return [name, numbered];
  });
  return {
    ...Object.fromEntries(entries),
    ...(present.some(({ text }) => text.includes('#view')) ? { ExpressionAttributeNames: { '#view': 'view' } } : {}),
    ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
  };
};

const paths = [
  'num',
  'word',
  'entries',
  'entries[0]',
  'entries[1]',
  '#view',
  '#view.x',
  '#view.y',
  '#view[0]',
  'pk',
  'gone',
  'pk1',
] as const;
const pathOf = (...names: readonly string[]) => fc.constantFrom(...names);

/** Only some engines reject bounds in the wrong order. */
const inOrder = ([a, b]: readonly [number, number] | readonly [string, string]): readonly unknown[] =>
  (compare(a, b) ?? 0) > 0 ? [b, a] : [a, b];

const leaf: fc.Arbitrary<Expression> = fc.oneof(
  fc
    .tuple(fc.constantFrom('attribute_exists', 'attribute_not_exists'), pathOf(...paths))
    .map(([name, path]) => ({ text: `${name}(${path})`, values: [] })),
  fc
    .tuple(pathOf(...paths), fc.constantFrom('=', '<>'), value)
    .map(([path, by, operand]) => ({ text: `${path} ${by} ?`, values: [operand] })),
  fc
    .tuple(pathOf(...paths), fc.constantFrom('<', '<=', '>', '>='), fc.oneof(number, text))
    .map(([path, by, operand]) => ({ text: `${path} ${by} ?`, values: [operand] })),
  fc.tuple(fc.constantFrom('=', '<=', '>'), fc.nat(3)).map(([by, operand]) => ({ text: `size(entries) ${by} ?`, values: [operand] })),
  fc.tuple(pathOf('word', 'sk', '#view.y'), text).map(([path, operand]) => ({ text: `begins_with(${path}, ?)`, values: [operand] })),
  fc
    .tuple(pathOf('num', 'marks', '#view.y', 'gone'), fc.constantFrom('S', 'N', 'NS', 'NULL', 'M'))
    .map(([path, operand]) => ({ text: `attribute_type(${path}, ?)`, values: [operand] })),
  fc
    .tuple(pathOf('num', 'word', '#view.x'), fc.oneof(fc.tuple(number, number), fc.tuple(text, text)))
    .map(([path, bounds]) => ({ text: `${path} BETWEEN ? AND ?`, values: inOrder(bounds) })),
);

const both = ([a, by, b]: readonly [Expression, string, Expression]) => ({
  text: `${a.text} ${by} ${b.text}`,
  values: [...a.values, ...b.values],
});
const bracketed = ({ text: inner, values }: Expression): Expression => ({ text: `(${inner})`, values });

const { condition } = fc.letrec<{ condition: Expression; inner: Expression }>((tie) => {
  const joined = fc.tuple(tie('inner'), fc.constantFrom('AND', 'OR'), tie('inner')).map(both);
  return {
    condition: fc.oneof(
      leaf,
      joined,
      tie('inner').map(({ text: inner, values }) => ({ text: `NOT ${inner}`, values })),
    ),
    inner: fc.oneof({ maxDepth: 2 }, leaf, joined.map(bracketed)),
  };
});

const appended = list.map((operand) => ({ text: 'list_append(if_not_exists(entries, ?), ?)', values: [[], operand] }));
const source: fc.Arbitrary<Expression> = fc.oneof(
  { weight: 6, arbitrary: value.map((operand) => ({ text: '?', values: [operand] })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(pathOf('num', '#view.x', 'gone'), fc.constantFrom('+', '-'), number)
      .map(([path, by, operand]) => ({ text: `${path} ${by} ?`, values: [operand] })),
  },
  { weight: 3, arbitrary: appended },
  pathOf('num', 'word', 'gone').map((path) => ({ text: path, values: [] })),
);

const targets = ['num', 'word', 'marks', 'entries', '#view', '#view.x', '#view.y', 'fresh', 'pk1', 'sk1'] as const;

type Clause = readonly [clause: 'SET' | 'REMOVE' | 'ADD', expression: Expression];
const clausesOf = (path: (typeof targets)[number]): readonly fc.Arbitrary<Clause>[] => {
  // `size` is used only of lists and maps.
  const set = (path === 'entries' ? appended : source).map(
    ({ text: from, values }): Clause => ['SET', { text: `${path} = ${from}`, values }],
  );
  const removal = fc.constant<Clause>(['REMOVE', { text: path, values: [] }]);
  const added = number.map((by): Clause => ['ADD', { text: `${path} ?`, values: [by] }]);
  // Only some engines reject an index key of a wrong type or the removal of a missing map's field.
  if (/^[ps]k1$/.test(path)) return [removal];
  if (path.startsWith('#view.')) return [set];
  if (path === 'marks') return [removal, marks.map((by): Clause => ['ADD', { text: `${path} ?`, values: [by] }])];
  return path === 'num' || path === 'word' || path === 'fresh' ? [set, set, removal, added] : [set, set, removal];
};

const update: fc.Arbitrary<Expression> = fc
  // Only some engines reject overlapping paths.
  .uniqueArray(fc.constantFrom(...targets), { minLength: 1, maxLength: 4, comparator: (a, b) => a.startsWith(b) || b.startsWith(a) })
  .chain((chosen) => fc.tuple(...chosen.map((path) => fc.oneof(...clausesOf(path)))))
  .map((clauses) => {
    const parts = (['SET', 'REMOVE', 'ADD'] as const).flatMap((name) => {
      const own = clauses.filter(([clause]) => clause === name).map(([, expression]) => expression);
      return own.length > 0 ? [{ text: `${name} ${own.map((one) => one.text).join(', ')}`, values: own.flatMap((one) => one.values) }] : [];
    });
    return { text: parts.map((part) => part.text).join(' '), values: parts.flatMap((part) => part.values) };
  });

const unconditional: Expression | null = null;
const perhaps = fc.option(condition, { nil: unconditional, freq: 3 });
const shows = fc.boolean().map((isRequested) => (isRequested ? { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } : {}));

const put = fc
  .tuple(item, perhaps, shows)
  .map(([Item, guard, shown]) => ({ Put: { Item, ...shown, ...write({ ConditionExpression: guard }) } }));
const change = fc
  .tuple(key, update, perhaps, shows)
  .map(([Key, how, guard, shown]) => ({ Update: { Key, ...shown, ...write({ UpdateExpression: how, ConditionExpression: guard }) } }));
const remove = fc
  .tuple(key, perhaps, shows)
  .map(([Key, guard, shown]) => ({ Delete: { Key, ...shown, ...write({ ConditionExpression: guard }) } }));
const check = fc
  .tuple(key, condition, shows)
  .map(([Key, guard, shown]) => ({ ConditionCheck: { Key, ...shown, ...write({ ConditionExpression: guard }) } }));

const keyOf = ({ Key, Item }: { readonly Key?: object; readonly Item?: object }) => {
  const { pk, sk } = (Key ?? Item) as { readonly pk: string; readonly sk: string };
  return [pk, sk];
};

const single = fc
  .oneof({ weight: 4, arbitrary: put }, { weight: 4, arbitrary: change }, remove)
  .map((one) => ({ operation: Object.keys(one)[0] as AnyCommand['operation'], input: Object.values(one)[0] as AnyCommand['input'] }));

const transaction = fc
  .tuple(
    // Only some engines reject two writes of one item.
    fc.uniqueArray(fc.oneof({ weight: 3, arbitrary: put }, { weight: 3, arbitrary: change }, remove, check), {
      minLength: 1,
      maxLength: 3,
      selector: (one) => JSON.stringify(keyOf(Object.values(one)[0] as { Key?: object; Item?: object })),
    }),
    fc.constantFrom({}, { ClientRequestToken: 'first' }, { ClientRequestToken: 'second' }),
  )
  .map(([TransactItems, token]) => ({ operation: 'TransactWrite' as const, input: { TransactItems, ...token } }));

const range: fc.Arbitrary<Expression> = fc.oneof(
  fc.constant({ text: '', values: [] }),
  fc
    .tuple(fc.constantFrom('=', '<', '<=', '>', '>='), fc.constantFrom('a', 'b', '2'))
    .map(([by, operand]) => ({ text: ` AND sort ${by} ?`, values: [operand] })),
  fc
    .tuple(fc.constantFrom(' ', '2', 'b'), fc.constantFrom('~', '2', 'c'))
    .map((bounds) => ({ text: ' AND sort BETWEEN ? AND ?', values: bounds })),
  fc.constantFrom('b', '1').map((operand) => ({ text: ' AND begins_with(sort, ?)', values: [operand] })),
);

const query = fc
  .record({
    isIndex: fc.boolean(),
    which: fc.constantFrom(0, 1),
    sort: range,
    // Only some engines let a page start at the bound of its range.
    start: fc.option(
      key.chain(({ sk }) => fc.constantFrom('1', '2', '3').map((sk1) => ({ sk, sk1 }))),
      { nil: undefined, freq: 3 },
    ),
    paging: fc.record({ Limit: fc.constantFrom(1, 2, 10), ScanIndexForward: fc.boolean() }, { requiredKeys: [] }),
    select: fc.constantFrom({}, {}, { Select: 'COUNT' }),
    filter: fc.option(
      // No filter uses keys, because only some engines reject that.
      fc
        .tuple(pathOf('num', '#view.x', 'gone'), fc.constantFrom('=', '<>', '<', '>='), number)
        .map(([path, by, operand]) => ({ text: `${path} ${by} ?`, values: [operand] })),
      { nil: unconditional, freq: 2 },
    ),
    shown: fc.constantFrom(null, null, { text: 'sk', values: [] }, { text: 'sk, #view.x, marks', values: [] }),
  })
  .map(({ isIndex, which, sort, start, paging, select, filter, shown }) => {
    const [pk, sk] = isIndex ? ['pk1', 'sk1'] : ['pk', 'sk'];
    const partition = isIndex ? indexPartitions[which] : partitions[which];
    const from =
      sort.text === '' && start && (isIndex ? { pk: 'p', sk: start.sk, pk1: partition, sk1: start.sk1 } : { pk: partition, sk: start.sk });
    const keyCondition = { text: `${pk} = ?${sort.text.replace('sort', String(sk))}`, values: [partition, ...sort.values] };
    return {
      operation: 'Query' as const,
      input: {
        ...(isIndex ? { IndexName: 'gsi1' } : { ConsistentRead: true }),
        ...write({
          KeyConditionExpression: keyCondition,
          // Only projected attributes of an index can be filtered by; only some engines reject others.
          FilterExpression: filter && isIndex ? { ...filter, text: filter.text.replace(/^\S+/, '#view.x') } : filter,
          ProjectionExpression: isIndex || 'Select' in select ? null : shown,
        }),
        ...(from ? { ExclusiveStartKey: from } : {}),
        // Engines differ in whether a page that ends at the bound of its range has a
        // `LastEvaluatedKey`.
        ...(/=|BETWEEN/.test(sort.text) ? {} : paging),
        ...select,
      },
    };
  });

const get = key.map((Key) => ({ operation: 'Get' as const, input: { Key, ConsistentRead: true } }));
const batchGet = fc
  .tuple(fc.array(key, { minLength: 1, maxLength: 3 }), fc.constantFrom({}, { ProjectionExpression: 'sk' }))
  .map(([Keys, projection]) => ({ operation: 'BatchGet' as const, input: { Keys, ConsistentRead: true, ...projection } }));

export const anyCommand: fc.Arbitrary<AnyCommand> = fc.oneof(
  { weight: 6, arbitrary: single },
  { weight: 4, arbitrary: transaction },
  { weight: 3, arbitrary: query },
  get,
  batchGet,
);
