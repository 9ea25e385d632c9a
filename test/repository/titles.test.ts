import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import ts from 'typescript';

interface Title {
  readonly position: string;
  readonly kind: string;
  readonly text: string;
}

/** Returns the function that a call like `test.skip(…)` or `test.each(rows)(…)` leads to. */
const calledFunction = (call: ts.Expression): ts.Expression => {
  if (ts.isCallExpression(call) || ts.isPropertyAccessExpression(call)) return calledFunction(call.expression);
  return ts.isTaggedTemplateExpression(call) ? calledFunction(call.tag) : call;
};

/** Returns the titles of the tests and groups in a source. */
const titlesIn = (file: string, source: string): readonly Title[] => {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest);
  const titles: Title[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const called = calledFunction(node.expression);
      const [title] = node.arguments;
      if (
        ts.isIdentifier(called) &&
        /^(test|it|describe)$/.test(called.text) &&
        title &&
        (ts.isStringLiteral(title) || ts.isTemplateLiteral(title))
      ) {
        const position = `${file}:${parsed.getLineAndCharacterOfPosition(title.getStart(parsed)).line + 1}`;
        titles.push({ position, kind: called.text, text: title.getText(parsed).slice(1, -1) });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return titles;
};

const predicates = [
  ...['is', 'are', 'was', 'were', 'has', 'have', 'had', 'does', 'do', 'can', 'cannot', 'may', 'must', 'will', 'would', 'never', 'also'],
  ...['accepts', 'adds', 'asks', 'becomes', 'calls', 'closes', 'comes', 'contains', 'continues', 'costs', 'creates', 'deletes'],
  ...['emits', 'ends', 'fails', 'finds', 'frees', 'gives', 'goes', 'ignores', 'includes', 'keeps', 'leaves', 'lists', 'logs', 'loses'],
  ...['makes', 'needs', 'opens', 'prints', 'reads', 'receives', 'rejects', 'removes', 'replaces', 'requires', 'returns', 'runs', 'says'],
  ...['sends', 'shows', 'skips', 'starts', 'stays', 'stops', 'stores', 'succeeds', 'takes', 'treats', 'uses', 'waits', 'works', 'writes'],
];
/** A word that needs a subject before it, or that continues the title of the group. */
const fragment = new RegExp(`^(?:that|which|who|whose|and|but|or|of|to|because|it|${predicates.join('|')})\\b(?!-)`);
/** A title of placeholders only, as in `%s: %s`. */
const placeholders = /^(?:%[a-zA-Z]|\$[a-z][\w.]*|[^\p{L}])*$/u;
/** A group that its tests finish. */
const unfinished = /(?:[,:]| (?:that|if|in|of|to|for|with|accepts|rejects|reads|shows|and))$/;

const isWrong = ({ kind, text }: Title): boolean =>
  kind === 'describe' ? fragment.test(text) || unfinished.test(text) : fragment.test(text) || placeholders.test(text);

test('the lint of titles rejects fragments, and accepts sentences', () => {
  const wrong = [
    "test('that waits for a retry')",
    "test('is found')",
    "it('and fewer')",
    "test.each(rows)('%s: %j')",
    "describe('GET /x rejects')",
  ];
  const right = ["test('a retry is found')", "test.each(rows)('GET /x rejects %s')", "describe.each(pages)('%s')", "describe('a retry')"];
  expect([...wrong, ...right].filter((source) => titlesIn('a.ts', source).some(isWrong))).toEqual(wrong);
});

test('every title of a test is a sentence that is readable without the title of its group', () => {
  const titles = globSync('test/**/*.ts', { exclude: ['**/node_modules/**'] }).flatMap((file) =>
    titlesIn(file, readFileSync(file, 'utf8')),
  );
  expect(titles.length).toBeGreaterThan(2000);
  expect(titles.filter(isWrong).map(({ position, text }) => `${position} ${text}`)).toEqual([]);
});
