import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { completed } from '../../ops/help.ts';
import { run } from '../ops/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'completion-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the completion of bash offers every command and action, the options, and the values of options', async () => {
  const file = join(folder, 'bash');
  writeFileSync(file, (await run(['completion', 'bash'])).stdout);
  const offered = (...words: readonly string[]): string[] => {
    const script = `source ${file}; COMP_WORDS=(bakery-ops ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _bakery_ops; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\n').filter(Boolean);
  };
  expect(offered('')).toEqual([...completed()]);
  expect(offered('key.c')).toEqual(['key.create']);
  expect(offered('key.create', '--reg')).toEqual(['--region']);
  expect(offered('key.create', '--region', 'e')).toEqual(['eu']);
});
