// This file is plain JavaScript, so that every Node since 14 can run it. The program that it starts
// needs Node 24, which `npm ci` installs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const [major] = process.versions.node.split('.').map(Number);
const program = process.platform === 'win32' ? 'node.exe' : 'node';
const own = fileURLToPath(new URL(`../node_modules/node/bin/${program}`, import.meta.url));

/** Runs the program in a Node 24 that ends when this process is told to end, or is killed. */
const runInOwnNode = async (script) => {
  const child = spawn(own, [fileURLToPath(script), ...process.argv.slice(2)], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const passOn = (signal) => void child.kill(signal);
  for (const signal of signals) process.on(signal, passOn);
  const [status, signal] = await once(child, 'exit');
  for (const signal of signals) process.off(signal, passOn);
  if (signal) process.kill(process.pid, signal);
  process.exitCode = status;
};

/** Ends this process like SIGTERM when the older Node that started it is gone. */
const endWithStarter = () => {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
};

const version = process.versions.node;

/** Returns a sentence that says what is missing to run the program; undefined if nothing is. */
const describeMissing = () => {
  if (major < 18) return `Bakery Commerce needs Node 18 or later to start, and this is Node ${version}. Install Node 24, then run: npm ci`;
  // `npm ci --omit=dev` leaves the project's own Node out.
  return existsSync(own)
    ? undefined
    : `Bakery Commerce needs Node 24, and this is Node ${version}. Install Node 24, or run npm ci --include=dev, which brings it.`;
};

/**
 * Runs the program in this process if its Node is new enough, otherwise in the project's own Node
 * 24. Prints what is missing under a Node before 18, and under another one before 24 without the own
 * Node.
 */
export const withNode24 = async (script, program) => {
  if (major >= 24) {
    if (process.connected) endWithStarter();
    module.enableCompileCache();
    return program();
  }
  const missing = describeMissing();
  if (missing !== undefined) {
    process.stderr.write(`${missing}\n`);
    process.exitCode = 1;
    return undefined;
  }
  return runInOwnNode(script);
};
