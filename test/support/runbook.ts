import { readFileSync } from 'node:fs';

/** A query for Logs Insights, the log groups that it asks and the members it names. */
export interface Query {
  readonly sources: readonly string[];
  readonly fields: readonly string[];
}

export interface Section {
  /** Alarms that the section is about; none of a procedure. */
  readonly alarms: readonly string[];
  readonly text: string;
}

/** `ops <action> …` */
export interface Command {
  readonly action: string;
  readonly namesAccount: boolean;
  readonly input: unknown;
}

export const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');

const blocks = (language: string): string[] =>
  [...runbook.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$/gm)].filter(([, found]) => found === language).map(([, , body = '']) => body);

export const sections: readonly Section[] = runbook
  .split(/^#{2,3} /m)
  .slice(1)
  .map((text) => {
    const heading = text.split('\n', 1)[0] ?? '';
    return { text, alarms: /^(`[\w-]+` ?)+$/.test(heading) ? [...heading.matchAll(/`([\w-]+)`/g)].map(([, id = '']) => id) : [] };
  });

const words = new Set('fields filter stats sort limit by as asc desc and or not count sum avg max coalesce ispresent'.split(' '));

const readQuery = (sources: string, query: string): Query => {
  const body = query.replaceAll(/"[^"]*"/g, '');
  const aliases = new Set([...body.matchAll(/ as (\w+)/g)].map(([, alias = '']) => alias));
  const names = [...body.matchAll(/@?[A-Za-z_][\w.]*/g)].map(([name]) => name);
  return { sources: sources.split(' '), fields: [...new Set(names.filter((name) => !words.has(name) && !aliases.has(name)))] };
};

/** `ask <function>… <<'E'`, the query, `E` */
export const queries: readonly Query[] = blocks('sh').flatMap((block) =>
  [...block.matchAll(/^ *(?:SINCE=\d+ )?ask ([\w -]+) <<'E'\n([\s\S]*?)^ *E$/gm)].map(([, sources = '', query = '']) =>
    readQuery(sources, query),
  ),
);

export const commands: readonly Command[] = blocks('sh')
  .flatMap((block) => block.split('\n').map((line) => line.trim()))
  .filter((line) => line.startsWith('ops '))
  .map((line) => {
    const [, action = '', account, json] = /^ops ([\w.]+)( --account acct_…)?(?: --json '(.*)')?$/.exec(line) ?? [];
    if (action === '') throw new Error(`Not understood: ${line}`);
    return { action, namesAccount: account !== undefined, input: json === undefined ? {} : JSON.parse(json) };
  });
