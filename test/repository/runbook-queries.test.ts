import { expect, test } from '@jest/globals';
import { type LogEvent, type Row, runQuery } from '../support/insights.ts';
import { queries } from '../support/runbook.ts';
import type { Line } from './causes/cause.ts';
import { pipelineCauses } from './causes/pipeline.ts';
import { requestCauses } from './causes/requests.ts';

const causes = { ...pipelineCauses(), ...requestCauses() };

/** The events of log lines, a millisecond after each other. */
const eventsOf = (lines: readonly Line[], source = ''): readonly LogEvent[] =>
  lines.map((line, i) => ({
    atMs: Date.parse('2026-03-10T09:00:00.000Z') + i,
    log: `111122223333:/aws/lambda/BakeryCommerce-us-${source}`,
    logStream: `2026/03/10/${line['function'] ?? source}[1]0123`,
    message: JSON.stringify(line),
  }));

test('every query of the runbook has a cause, and every cause a query', () => {
  expect(Object.keys(causes).sort()).toEqual(queries.map(({ name }) => name).sort());
});

test.each(queries.map((query) => [query.name, query] as const))(
  'the query of %s shows the culprit first, among others',
  async (name, { sources, text }) => {
    const { lines, culprit, row = {}, id = '' } = (await causes[name]?.()) ?? { lines: [], culprit: {} };
    const events = eventsOf(lines, sources[0]);
    const isCulprit = (one: Row) => Object.entries(culprit).every(([field, value]) => one[field] === value);
    const innocents = runQuery('fields @message', events).filter((one) => !isCulprit(one));
    expect(innocents.length).toBeGreaterThanOrEqual(2);
    const [first] = runQuery(text.replace(/"\w*…"/, `"${id}"`), events);
    expect(first).toMatchObject({ ...culprit, ...row });
  },
);

test.each([
  ['an unknown command', 'dedup op', 'Not understood: dedup'],
  ['an unknown function', 'filter strlen(op) > 1', 'Not understood'],
  ['a field that no line has', 'fields @message | filter ghost = 1', 'No line has the field ghost.'],
  ['a tie of the first rows', 'stats count(*) as lines by op | sort lines desc', 'Two rows are first by lines'],
  ['an absent field that must differ', 'filter code != "x"', 'AWS does not say whether an absent field differs'],
  ['a sort by a text', 'fields op | sort op desc', 'AWS does not say where a row without a number in op is sorted'],
])('the interpreter of queries rejects %s', (_, text, message) => {
  expect(() => runQuery(text, eventsOf([{ op: 'a', code: 'y' }, { op: 'b' }]))).toThrow(message);
});
