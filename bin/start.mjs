// Plain JavaScript: what is loaded before the compile cache is on would be stripped of its types anew at every start.
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { awsClientOf, resolveQuickly } = await import('../local/modules.ts');
try {
  resolveQuickly(awsClientOf(process.env, 'local'));
} catch ({ message }) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
const { main } = await import('../local/start.ts');
await main(process.argv.slice(2), process.env);
