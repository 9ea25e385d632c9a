#!/usr/bin/env node
import { withNode24 } from './node-24.mjs';

await withNode24(import.meta.url, async () => {
  const { ops } = await import('../ops/main.ts');
  process.exitCode = await ops(process.argv.slice(2), {
    env: process.env,
    stdin: process.stdin,
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    columns: process.stdout.isTTY ? process.stdout.columns || 80 : undefined,
  });
});
