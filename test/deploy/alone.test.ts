import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { alone } from './alone.ts';

test('a call waits for another process under the same file, and runs when that process is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'alone-'));
  const file = join(folder, 'lock');
  const holding = `import { alone } from './test/deploy/alone.ts';
    await alone(${JSON.stringify(file)}, () => new Promise(() => setInterval(() => console.log('runs'), 10)));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', holding], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(child.stdout, 'data');
    let hasRun = false;
    const running = alone(file, async () => {
      hasRun = true;
    });
    await once(child.stdout, 'data');
    expect(hasRun).toBe(false);
    child.kill('SIGKILL');
    await running;
    expect(hasRun).toBe(true);
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
});
