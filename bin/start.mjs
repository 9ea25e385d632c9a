import { withNode24 } from './node-24.mjs';

await withNode24(import.meta.url, async () => {
  const { awsClientOf, resolveQuickly } = await import('../local/modules.ts');
  try {
    resolveQuickly(awsClientOf(process.env, 'local'));
  } catch ({ message }) {
    process.stderr.write(`${message}\n`);
    process.exit(2);
  }
  const { main } = await import('../local/start.ts');
  await main(process.argv.slice(2), process.env);
});
