// Plain JavaScript: what is loaded before the compile cache is on would be stripped of its types anew at every start.
import { enableCompileCache } from 'node:module';

enableCompileCache();
const [{ awsClientOf }, { resolveQuickly }] = await Promise.all([import('../lib/aws-clients.ts'), import('../local/modules.ts')]);
resolveQuickly(awsClientOf(process.env));
const { main } = await import('../local/start.ts');
await main(process.argv.slice(2), process.env);
