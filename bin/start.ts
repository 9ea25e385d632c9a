import { enableCompileCache } from 'node:module';

// Half of the time to ready is compiling what did not change since the last start.
enableCompileCache();
const { main } = await import('../local/start.ts');
await main(process.argv.slice(2), process.env);
