import { withNode24 } from './node-24.mjs';

await withNode24(import.meta.url, async () => {
  const { resolveQuickly } = await import('../local/modules.ts');
  resolveQuickly();
  const { main } = await import('../local/start.ts');
  await main(process.argv.slice(2), process.env);
});
