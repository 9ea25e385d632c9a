import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { actionTable } from '../../functions/actions/index.ts';
import { type AlarmId, alarmSpecs, sectionOf } from '../../lib/alarms.ts';
import { functionNames } from '../../lib/functions.ts';
import { logGroupNames, metricNames, metricSpecOf } from '../../lib/metrics.ts';
import { fullContext } from '../lib/contexts.ts';
import { flatten } from '../lib/iam.ts';
import { synthesize, theOnly } from '../lib/synthesize.ts';
import { commands, queries, runbook, sections } from '../support/runbook.ts';

const docs = new URL('../../docs/', import.meta.url);
const observability = readFileSync(new URL('observability.md', docs), 'utf8');
const linksOf = (page: string): string[] => [...page.matchAll(/\]\(([^)#]+\.md)(?:#[\w-]+)?\)/g)].map(([, path = '']) => path);

describe('the runbook', () => {
  test('the runbook has one section for each alarm or group of alarms, and none for another', () => {
    const expected = new Set((Object.keys(alarmSpecs) as AlarmId[]).map(sectionOf));
    expect(sections.flatMap(({ alarms }) => alarms).sort()).toEqual([...expected].sort());
  });

  test('each section of the runbook has meaning, urgency, first command, fix and check', () => {
    for (const { alarms, text } of sections.filter((section) => section.alarms.length > 0))
      expect({ alarms, parts: [...text.matchAll(/^\*\*(\w+)\.\*\*(?= \S|$)/gm)].map(([, part]) => part) }).toEqual({
        alarms,
        parts: ['Means', 'Urgency', 'First', 'Fix', 'Check'],
      });
  });

  test('the runbook gives each alarm the urgency of its notification, and commands to paste first', () => {
    for (const { alarms, text } of sections.filter((section) => section.alarms.length > 0)) {
      const [, urgency] = /^\*\*Urgency\.\*\* (\w+)/m.exec(text) ?? [];
      const specified = (Object.keys(alarmSpecs) as AlarmId[])
        .filter((id) => alarms.includes(sectionOf(id)))
        .map((id) => alarmSpecs[id].urgency);
      const [, first = ''] = /^\*\*First\.\*\*(.*?)^\*\*Fix\.\*\*/ms.exec(text) ?? [];
      expect({ alarms, urgencies: [...new Set(specified)], hasCommands: first.includes('```sh\n') }).toEqual({
        alarms,
        urgencies: [urgency],
        hasCommands: true,
      });
    }
  });

  test('the runbook names commands that exist, with an account if they need one and valid input', () => {
    expect(commands.length).toBeGreaterThan(20);
    for (const { action, namesAccount, input } of commands) {
      const known = actionTable[action];
      expect({ action, isKnown: known !== undefined }).toEqual({ action, isKnown: true });
      if (!known) continue;
      expect({ action, namesAccount }).toEqual({ action, namesAccount: known.account !== 'none' });
      expect({ action, issues: v.safeParse(known.input, input).issues }).toEqual({ action, issues: undefined });
    }
  });

  test('the runbook names actions in its text that exist', () => {
    const named = [...runbook.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, name = '']) => name);
    for (const name of named) expect(Object.keys(actionTable)).toContain(name);
  });

  test('the runbook names alarms and functions in its text that exist', () => {
    const known = [...Object.keys(alarmSpecs), ...(Object.keys(alarmSpecs) as AlarmId[]).map(sectionOf), ...functionNames];
    const named = [...runbook.matchAll(/`([a-z]+(?:-[a-z0-9]+)+)`/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  test('the runbook names graphs that are on the dashboard', () => {
    const { widgets } = JSON.parse(flatten(theOnly(synthesize(fullContext).templates.us, 'AWS::CloudWatch::Dashboard')['DashboardBody']));
    const titles = new Set(widgets.map(({ properties }: { properties: { title: string } }) => properties.title));
    const named = [...runbook.replaceAll('**', '').matchAll(/(?<![\w*])\*([A-Z0-9][^*\n]*)\*(?!\w)/g)].map(([, title]) => title);
    expect(named.length).toBeGreaterThan(30);
    for (const title of named) expect(titles).toContain(title);
  });

  test('the runbook asks log groups that exist', () => {
    for (const { sources } of queries)
      for (const source of sources) expect([...logGroupNames, 'access-log', 'address-log']).toContain(source);
  });

  test('the runbook and the page on observability link to pages that exist', () => {
    for (const path of [...linksOf(runbook), ...linksOf(observability)])
      expect({ path, exists: existsSync(new URL(path, docs)) }).toEqual({ path, exists: true });
  });
});

describe('the page on observability', () => {
  test('the page on observability counts the metrics that are paid for', () => {
    const metrics = metricNames.reduce((sum, name) => sum + (metricSpecOf(name).dimension?.values.length ?? 1), 0);
    expect(observability).toContain(`**What it costs**: ${metrics} metrics`);
    expect(observability).toContain(` ${Object.keys(alarmSpecs).length} alarms at`);
  });
});
