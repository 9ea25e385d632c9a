import { enableCompileCache } from 'node:module';
import { awsClientOf } from '../lib/aws-clients.ts';
import { useLeanClients } from '../local/aws-clients.ts';

// Half of the time to ready is compiling what did not change since the last start.
enableCompileCache();
if (awsClientOf(process.env) === 'lean') useLeanClients();
const { main } = await import('../local/start.ts');
await main(process.argv.slice(2), process.env);
