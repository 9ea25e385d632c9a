import { spawn } from 'node:child_process';
import { once } from 'node:events';

// A shell waits on a pipe that only this process holds open. If this process ends, even by
// `kill -9`, the pipe closes and the shell kills the program.
const leash = '"$@" & pid=$!; echo "$pid"; exec >&- 2>&-; read -r _; kill -9 "$pid"';
// Windows has no such shell, so a separate Node process waits on the same pipe. It writes the
// process id before the program can print, and outlives ^C.
const nodeLeash = `
  process.on('SIGINT', () => {});
  const [command, ...args] = process.argv.slice(1);
  const child = require('node:child_process').spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true });
  require('node:fs').writeSync(1, child.pid + '\\n');
  child.on('error', ({ message }) => { console.error(message); process.exit(1); });
  child.on('exit', () => process.exit());
  process.stdin.on('end', () => child.kill('SIGKILL')).resume();`;
const keptOutput = 10_000;
/**
 * Time to wait after asking the engine to end, before it is killed. It would wait for idle
 * connections; its file survives a kill.
 */
const politeMs = 250;

interface TiedOptions {
  readonly cwd?: string;
  readonly platform?: NodeJS.Platform;
}

/** Starts a program that ends when this process ends, even if this process is killed. */
export const startTied = async (command: readonly string[], { cwd, platform = process.platform }: TiedOptions = {}) => {
  const [program, ...args] = platform === 'win32' ? [process.execPath, '-e', nodeLeash, '--'] : ['sh', '-c', leash, 'sh'];
  const shell = spawn(program as string, [...args, ...command], {
    ...(cwd && { cwd }),
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, because ^C of a terminal would end the shell and not the program.
    detached: platform !== 'win32',
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-keptOutput);
  };
  shell.stdin.on('error', () => {}); // the shell has ended
  shell.stderr.on('data', collect);
  const exited = Promise.all([once(shell.stdout, 'close'), once(shell.stderr, 'close')]).then(() => {
    shell.stdin.end();
    return output;
  });
  const [first] = (await Promise.race([once(shell.stdout, 'data'), once(shell, 'error').then(([error]) => Promise.reject(error))])) as [
    Buffer,
  ];
  // On a busy machine the number and the program's first output may arrive together.
  collect(first.subarray(first.indexOf('\n') + 1));
  shell.stdout.on('data', collect);
  const pid = Number.parseInt(first.toString(), 10);
  return {
    pid,
    /** Resolves with the program's output when it ends. */
    exited,
    /** Resolves when the output matches the pattern. Rejects if the program ends first. */
    printed: (pattern: RegExp) =>
      new Promise<void>((resolve, reject) => {
        const check = () => pattern.test(output) && resolve();
        for (const stream of [shell.stdout, shell.stderr]) stream.on('data', check);
        check();
        exited.then((text) => reject(new Error(text.trim() || 'it exited without an error message')), reject);
      }),
    async stop(): Promise<void> {
      try {
        process.kill(pid, 'SIGTERM');
      } catch {
        // the process has already ended
      }
      const deadline = setTimeout(() => shell.stdin.end(), politeMs);
      await exited;
      clearTimeout(deadline);
    },
  };
};

export type TiedChild = Awaited<ReturnType<typeof startTied>>;
