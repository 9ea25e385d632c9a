// This file is plain JavaScript, so that every Node since 14 can run it. The program that it starts
// needs Node 24, which `npm ci` installs.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const [major] = process.versions.node.split('.').map(Number);
const own = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));

/**
 * Runs the program in this process if its Node is new enough, otherwise in the project's own Node
 * 24. Under a Node before 18, prints what is missing.
 */
export const withNode24 = async (script, program) => {
  if (major >= 24) {
    module.enableCompileCache();
    return program();
  }
  if (major < 18 || !existsSync(own)) {
    process.stderr.write(
      `Bakery Commerce needs Node 18 or later to start, and this is Node ${process.versions.node}. Install Node 24, then run: npm ci\n`,
    );
    process.exitCode = 2;
    return undefined;
  }
  const { status, signal } = spawnSync(own, [fileURLToPath(script), ...process.argv.slice(2)], { stdio: 'inherit' });
  if (signal) process.kill(process.pid, signal);
  process.exitCode = status;
  return undefined;
};
