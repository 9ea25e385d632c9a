import { expect, test } from '@jest/globals';
import { type AuditReport, isReport, judge } from './advisories.ts';

const advisory = (id: string, name: string, severity: string) => ({
  name,
  severity,
  title: `Trouble in ${name}`,
  url: `https://github.com/advisories/${id}`,
});

const report = (...advisories: ReturnType<typeof advisory>[]): AuditReport => ({
  auditReportVersion: 2,
  vulnerabilities: {
    ...Object.fromEntries(advisories.map((one) => [one.name, { via: [one] }])),
    parent: { via: advisories.map(({ name }) => name) },
  },
});

const inFunction = advisory('GHSA-aaaa-aaaa-aaaa', 'deployed-one', 'low');
const inTool = advisory('GHSA-bbbb-bbbb-bbbb', 'tool', 'moderate');
const badInTool = advisory('GHSA-cccc-cccc-cccc', 'bad-tool', 'high');
const reports = { deployed: report(inFunction), all: report(inFunction, inTool, badInTool) };

test('an advisory of a deployed package fails at any severity, of a development package from high', () => {
  expect(judge({ ...reports, accepted: {} })).toEqual({
    unaccepted: [
      'GHSA-aaaa-aaaa-aaaa low deployed deployed-one: Trouble in deployed-one',
      'GHSA-cccc-cccc-cccc high development bad-tool: Trouble in bad-tool',
    ],
    stale: [],
  });
});

test('the audit passes over an accepted advisory, and fails for an accepted one that is no longer reported', () => {
  const accepted = { 'GHSA-aaaa-aaaa-aaaa': 'no input reaches it', 'GHSA-cccc-cccc-cccc': 'reads our files only', 'GHSA-dddd': 'gone' };
  expect(judge({ ...reports, accepted })).toEqual({ unaccepted: [], stale: ['GHSA-dddd'] });
});

test('output of npm from a registry without advisories does not pass for a clean report', () => {
  expect([report(), { message: '405 Method Not Allowed', statusCode: 405, error: { summary: '' } }, null].map(isReport)).toEqual([
    true,
    false,
    false,
  ]);
});
