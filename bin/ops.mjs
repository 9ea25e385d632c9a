// Plain JavaScript: what is loaded before the compile cache is on would be stripped of its types anew with every command.
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { ops } = await import('../ops/main.ts');
process.exitCode = await ops(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
});
