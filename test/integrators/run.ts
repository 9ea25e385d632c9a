import { writeFileSync } from 'node:fs';
import { startRuntime } from '../../local/runtime.ts';
import { apiPrefix } from '../../shared/core/routes.ts';
import { checksOf, type Tally } from '../deploy/check.ts';
import { checkBridge } from './bridge.ts';
import { makeCollection } from './collection.ts';
import { checkPostman, collectionPath, readDocument } from './postman.ts';
import { checkReceivers } from './receivers.ts';
import { installTools } from './tools.ts';

/**
 * What integrators use beside the clients, against the service: `npm run test:integrators`.
 * `npm run postman` writes the collection for Postman instead.
 */
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const tools = await installTools();
if (process.argv.includes('--write-collection')) {
  writeFileSync(collectionPath, `${JSON.stringify(await makeCollection(tools, readDocument()), null, 1)}\n`);
} else {
  const tally: Tally = { passed: 0, failed: 0 };
  await checkReceivers(checksOf('receiver', tally, print), tools);
  const runtime = await startRuntime({ regions: ['us'], seed: true, allowLoopbackWebhooks: true });
  const { secretKey, publishableKey } = runtime.demo.us ?? {};
  try {
    const target = { base: `${runtime.urls.us}${apiPrefix}`, key: secretKey, publishableKey };
    await checkPostman(checksOf('Postman', tally, print), tools, target);
    await checkBridge(checksOf('MCP', tally, print), tools, runtime, target.base);
  } finally {
    await runtime.stop();
  }
  print(`${tally.passed} passed, ${tally.failed} failed`);
  process.exitCode = tally.failed > 0 ? 1 : 0;
}
