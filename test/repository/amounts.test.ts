import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import * as v from 'valibot';
import { actionTable } from '../../functions/actions/index.ts';
import { roundMoney } from '../../shared/core/money.ts';
import { allRoutes } from '../support/world.ts';

const root = new URL('../../', import.meta.url);

/** Names of amounts and of their factors. */
const amountName =
  /^(un)?(amount|price|subtotal|total|fee|tax|discount|gross|cost|spent|net|tip|sum|worth|rate|multiplier|counted|refunded)s?$/i;
const isAmount = (name: string): boolean => name.split(/_|(?=[A-Z])/).some((word) => amountName.test(word));

const { SyntaxKind } = ts;
const arithmetic = new Set([
  SyntaxKind.PlusToken,
  SyntaxKind.MinusToken,
  SyntaxKind.AsteriskToken,
  SyntaxKind.SlashToken,
  SyntaxKind.PercentToken,
  SyntaxKind.AsteriskAsteriskToken,
  SyntaxKind.PlusEqualsToken,
  SyntaxKind.MinusEqualsToken,
  SyntaxKind.AsteriskEqualsToken,
  SyntaxKind.SlashEqualsToken,
]);
const roundings = /^(Math\.(round|floor|ceil|trunc|fround)|.*\.toFixed)$/;

const namesIn = (node: ts.Node): string[] => (ts.isIdentifier(node) ? [node.text] : node.getChildren().flatMap((child) => namesIn(child)));

/** Finds arithmetic on amounts with JavaScript's operators, which use binary fractions. */
const binaryArithmetic = (path: string, source: string): string[] => {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const look = (node: ts.Node): void => {
    const operands = ts.isBinaryExpression(node) && arithmetic.has(node.operatorToken.kind) ? [node.left, node.right] : [];
    const rounded = ts.isCallExpression(node) && roundings.test(node.expression.getText()) ? [node.expression, ...node.arguments] : [];
    if ([...operands, ...rounded].flatMap(namesIn).some(isAmount)) found.push(`${path}: ${node.getText()}`);
    ts.forEachChild(node, look);
  };
  look(file);
  return found;
};

const deployed = ['shared', 'functions'].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`),
);

test('only shared/core/money.ts adds, multiplies, divides or rounds an amount', () => {
  const found = deployed
    .filter((path) => path !== 'shared/core/money.ts')
    .flatMap((path) => binaryArithmetic(path, readFileSync(new URL(path, root), 'utf8')));
  expect(found).toEqual([]);
});

test.each([
  'total * 0.029',
  'fee * slot.multiplier',
  'item.unit_price * quantity',
  'fee / (exchange_rate ?? 1)',
  'sum += 3 * amount',
  'Math.round(amount)',
  'order.total.toFixed(2)',
  'subtotal - order.discount',
])('arithmetic such as %s is found', (expression) => {
  expect(binaryArithmetic('x.ts', expression)).not.toEqual([]);
});

interface Node {
  readonly kind: string;
  readonly wrapped?: Node;
  readonly item?: Node;
  readonly entries?: Readonly<Record<string, Node>>;
  readonly pipe?: readonly Node[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Every member with a name that takes a number, by its path. */
const numbersOf = (node: Node, path: string): readonly (readonly [string, v.GenericSchema])[] => {
  const schema = node as unknown as v.GenericSchema;
  const read = v.safeParse(schema, 5);
  if (read.success && typeof read.output === 'number') return [[path, schema]];
  const steps = node.pipe?.filter(({ kind }) => kind === 'schema') ?? [];
  const alternatives = node.pipe?.flatMap(({ metadata }) => (metadata?.['alternatives'] as Node[] | undefined) ?? []) ?? [];
  if (node.pipe) return [...steps, ...alternatives].flatMap((one) => numbersOf(one, path));
  if (node.wrapped) return numbersOf(node.wrapped, path);
  if (node.item) return numbersOf(node.item, `${path}.0`);
  return Object.entries(node.entries ?? {}).flatMap(([name, entry]) => numbersOf(entry, `${path}.${name}`));
};

const inputs = [
  ...allRoutes.flatMap(({ operation, body }) => (body ? [[operation, body] as const] : [])),
  ...Object.entries(actionTable).map(([name, { input }]) => [name, input] as const),
];
const amounts = inputs
  .flatMap(([name, schema]) => numbersOf(schema as unknown as Node, name))
  .filter(([path]) => isAmount(path.split('.').at(-1) ?? '') && !/\.(rate|multiplier)$/.test(path));

test('amounts are found in every input that takes some, lists and nested objects included', () => {
  const paths = amounts.map(([path]) => path);
  const takers =
    'order.update expense.create expense.update gateway_fee.record product.create product.update payment.create payment.correct_amount payment.refund quick_sale.create quick_sale.update'.split(
      ' ',
    );
  for (const taker of ['createExpense', 'createOrder', 'settings.put', ...takers])
    expect([taker, paths.some((path) => path.startsWith(`${taker}.`))]).toEqual([taker, true]);
  expect(paths).toEqual(
    expect.arrayContaining(['createOrder.items.0.unit_price', 'createOrder.payments.0.tip_amount', 'createExpense.tax.amount']),
  );
});

test.each(amounts)('%s is bounded as it is rounded', (_, schema) => {
  for (const tooMuch of [999_999_999_999.995, 999_999_999_999.9999, 1e12, 1e300]) expect(v.is(schema, tooMuch)).toBe(false);
  expect(roundMoney(v.parse(schema, 999_999_999_999.994) as number)).toBe(999_999_999_999.99);
});
