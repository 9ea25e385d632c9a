import assert from 'node:assert/strict';
import { linkNames } from '../../../ops/check-links.ts';
import { mustRun } from '../children.ts';
import { stagedRegion, stagedStack } from '../deploy.ts';
import type { Emulator } from '../emulator.ts';
import { requestAt } from '../http.ts';
import { runCheck } from '../schedules.ts';
import type { Shop } from './shop.ts';

/** The stack of the stage works beside that of production, and neither knows a key of the other. */
export const checkStage = async (shops: readonly Shop[], emulator: Emulator): Promise<void> => {
  const { env } = emulator;
  const shop = shops.find(({ region }) => region === stagedRegion);
  if (!shop) return;
  await shop.check('ops check proves the stack of the stage, and finds its region at the end of its name', async () => {
    const stdout = await runCheck(emulator, stagedRegion, stagedStack);
    assert.deepEqual(stdout.match(/^\w+(?= +ok )/gm), [...linkNames], stdout);
  });
  await shop.check('its key is refused by the stage in its own region', async () => {
    const ask = `const { stackOutput } = await import('./ops/deployed.ts');
      process.stdout.write(await stackOutput('${stagedStack}', '${stagedRegion}', 'ApiUrl', {}));`;
    const { stdout: url } = await mustRun('node', ['--input-type=module', '-e', ask], { env });
    const { status, body } = await requestAt(emulator)('GET', `${url}/api/v2/webhooks`, { key: shop.secretKey });
    assert.deepEqual([status, body?.error?.code], [401, 'invalid_api_key']);
  });
};
