import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Context } from './synthesize-app.ts';

/** A program that a page starts, with the configuration that the page has set before. */
export interface Call {
  readonly context: Context;
  readonly awsRegion: string;
  readonly command: readonly string[];
}

export interface Sample {
  readonly language: string;
  readonly text: string;
}

/** Returns the samples of a Markdown text in its order. */
const samplesIn = (text: string): readonly Sample[] =>
  [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)\n\1```$/gm)].map(([, indent = '', language = '', sample = '']) => ({
    language,
    text: sample.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));

export const allSamplesOf = (page: string): readonly Sample[] => samplesIn(readFileSync(page, 'utf8'));

/** Returns the samples of a section in the page's order. Throws if it has none. */
export const samplesOf = (page: string, heading: string): readonly Sample[] => {
  const [, section = ''] = `\n${readFileSync(page, 'utf8')}`.split(`\n${heading}\n`);
  const samples = samplesIn(section.split(/\n#{2,3} /)[0] ?? '').filter(({ language }) => language === 'sh' || language === 'json');
  if (samples.length === 0) throw new Error(`${page} has no samples under ${heading}`);
  return samples;
};

/** Returns the steps of docs/deploy.md for eu alone: its section has samples for the first of each kind. */
export const stepsOfEu = (): readonly Sample[] => {
  const [variables, ...keys] = samplesOf('docs/deploy.md', '## Deploy only eu, with a domain');
  let next = 0;
  return samplesOf('docs/deploy.md', '# Deploy').map((sample, index) =>
    index === 0 ? (variables ?? sample) : sample.language === 'json' ? (keys[next++] ?? sample) : sample,
  );
};

const programs = ['npx', 'npm', 'aws', 'gh', 'curl', 'sleep'];

/** Runs the samples in one shell, in which programs of others only record their call; JSON is configuration. */
export const walk = (samples: readonly Sample[], before: Context = {}): readonly Call[] => {
  const contexts: Context[] = [before];
  const scripts = samples.map(({ language, text }) => {
    if (language === 'sh') return `STEP=${contexts.length - 1}\n${text}`;
    contexts.push({ ...contexts.at(-1), ...(JSON.parse(`{${text}}`) as Context) });
    return '';
  });
  const record = `record() { printf '%s\\037' "$STEP" "$AWS_REGION" "$@" >&3; printf '\\036' >&3; }`;
  const stubs = programs.map((name) => `${name}() { record ${name} "$@"; case "$*" in *get-caller-identity*) echo 111122223333;; esac; }`);
  const script = ['exec 3>&1', 'exec 1>&2', record, ...stubs, ...scripts].join('\n');
  const { status, stdout, stderr } = spawnSync('sh', ['-euc', script], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], AWS_REGION: '' },
  });
  if (status !== 0) throw new Error(stderr);
  return stdout
    .split('\x1e')
    .slice(0, -1)
    .map((line) => {
      const [step, awsRegion = '', ...command] = line.split('\x1f').slice(0, -1);
      return { context: contexts[Number(step)] ?? {}, awsRegion, command };
    });
};
