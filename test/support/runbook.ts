import { readFileSync } from 'node:fs';

/** A query for Logs Insights with the log groups that it asks. */
export interface Query {
  /** Heading of its section; the second query of a section ends with 2. */
  readonly name: string;
  readonly sources: readonly string[];
  readonly text: string;
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

const blocksIn = (page: string): string[] => [...page.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, body = '']) => body);

export const sections: readonly Section[] = runbook
  .split(/^#{2,3} /m)
  .slice(1)
  .map((text) => {
    const heading = text.split('\n', 1)[0] ?? '';
    return { text, alarms: /^(`[\w-]+` ?)+$/.test(heading) ? [...heading.matchAll(/`([\w-]+)`/g)].map(([, id = '']) => id) : [] };
  });

/** `ask <function>… <<'E'`, the query, `E` */
export const queries: readonly Query[] = sections.flatMap(({ text }) => {
  const heading = (text.split('\n', 1)[0] ?? '').replaceAll('`', '');
  const found = blocksIn(text).flatMap((block) => [...block.matchAll(/^ *(?:SINCE=\d+ )?ask ([\w -]+) <<'E'\n([\s\S]*?)^ *E$/gm)]);
  return found.map(([, sources = '', query = ''], i) => ({
    name: i === 0 ? heading : `${heading} ${i + 1}`,
    sources: sources.split(' '),
    text: query,
  }));
});

export const commands: readonly Command[] = blocksIn(runbook)
  .flatMap((block) => block.split('\n').map((line) => line.trim()))
  .filter((line) => line.startsWith('ops '))
  .map((line) => {
    const [, action = '', account, json] = /^ops ([\w.]+)( --account acct_…)?(?: --json '(.*)')?$/.exec(line) ?? [];
    if (action === '') throw new Error(`Not understood: ${line}`);
    return { action, namesAccount: account !== undefined, input: json === undefined ? {} : JSON.parse(json) };
  });
