import { enableCompileCache } from 'node:module';
import { useLeanClients } from '../local/aws-clients.ts';

// Half of the time to ready is compiling what did not change since the last start.
enableCompileCache();
if (process.env['AWS_CLIENT'] === 'lean') useLeanClients();
const { main } = await import('../local/start.ts');
await main(process.argv.slice(2), process.env);
