#!/usr/bin/env node
import { relative } from 'node:path';
import { withNode24 } from './node-24.mjs';

/** Stops the command quietly if a reader such as `head` closes the pipe. */
const stopAtClosedPipe = () => {
  let isStopping = false;
  const stop = (error) => {
    if (isStopping) return;
    if (error.code !== 'EPIPE') throw error;
    isStopping = true;
    // A command that runs until it is stopped listens to signals.
    if (!process.emit('SIGTERM')) process.exit(0);
  };
  process.stdout.on('error', stop);
  process.stderr.on('error', stop);
};

/** Returns the command as the user called it; undefined for its installed name. */
const calledAs = () => {
  if (process.env.npm_lifecycle_event === 'ops') return 'npm run --silent ops --';
  const script = relative('', process.argv[1]);
  return script.endsWith('.mjs') ? `node ${script}` : undefined;
};

await withNode24(import.meta.url, async () => {
  stopAtClosedPipe();
  const { ops } = await import('../ops/main.ts');
  process.exitCode = await ops(process.argv.slice(2), {
    env: process.env,
    stdin: process.stdin,
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    calledAs: calledAs(),
    columns: process.stdout.isTTY ? process.stdout.columns || 80 : undefined,
  });
});
