import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { startTied } from '../../../local/engine/child.ts';
import { eventually } from '../../support/eventually.ts';

/** Linux has a shell, and Windows has none. */
const platforms = ['linux', 'win32'] as const;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const ended = (pid: number): Promise<boolean> =>
  eventually(
    () => !isAlive(pid),
    (gone) => gone,
  );
/** A program that prints a line and keeps running. It ignores ^C, like the programs of a shell's background. */
const program = (text: string) => [
  process.execPath,
  '-e',
  `process.on('SIGINT', () => {}); console.log(${JSON.stringify(text)}); setInterval(() => {}, 1000)`,
];

describe.each(platforms)('a child process on %s', (platform) => {
  test(`a child process on ${platform} has its own id, and its output is returned`, async () => {
    const child = await startTied(program('listening on 1'), { platform });
    await child.printed(/listening on/);
    expect(isAlive(child.pid)).toBe(true);
    await child.stop();
    expect(await child.exited).toBe('listening on 1\n');
    expect(await ended(child.pid)).toBe(true);
  });

  test(`a child process on ${platform} gets its arguments unchanged, and runs in the given folder`, async () => {
    const words = ['a b', '"c"', '$HOME', "d'e", '%PATH%'];
    const code = 'console.log(JSON.stringify([process.cwd(), ...process.argv.slice(1)]))';
    const child = await startTied([process.execPath, '-e', code, ...words], { platform, cwd: '/' });
    expect(JSON.parse(await child.exited)).toEqual(['/', ...words]);
  });

  test(`a child process on ${platform} that ends reports its last output`, async () => {
    const child = await startTied([process.execPath, '-e', 'console.error("no room"); process.exit(3)'], { platform });
    expect(await child.exited).toContain('no room');
    await child.stop();
  });

  test(`a missing program on ${platform} gives an error in words`, async () => {
    const child = await startTied(['/nowhere/at/all'], { platform });
    expect(await child.exited).toMatch(/nowhere|ENOENT/);
    await child.stop();
  });

  test.each([
    ['this process is killed', 'SIGKILL', (pid: number) => pid],
    ['a terminal sends ^C to every process of its group', 'SIGINT', (pid: number) => -pid],
  ] as const)(`a child process on ${platform} ends when %s`, async (_, signal, target) => {
    const url = new URL('../../../local/engine/child.ts', import.meta.url).href;
    const code = `const { startTied } = await import(${JSON.stringify(url)});
      const child = await startTied(${JSON.stringify(program('up'))}, { platform: ${JSON.stringify(platform)} });
      await child.printed(/up/); console.log(child.pid); setInterval(() => {}, 1000);`;
    const owner = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    const [line] = (await once(owner.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    expect(isAlive(pid)).toBe(true);
    process.kill(target(Number(owner.pid)), signal);
    expect(await ended(pid)).toBe(true);
  });
});
