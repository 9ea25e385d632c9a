import { main } from '../local/start.ts';

await main(process.argv.slice(2), process.env);
