import { ops } from '../local/ops/main.ts';

process.exitCode = await ops(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
});
