import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { startDashboard } from '../actions/dashboard.ts';
import { samplesOf } from '../examples/samples.ts';
import { serve } from '../support/serve.ts';
import { root } from '../support/service.ts';
import { shared } from '../support/shared.ts';

const dashboard = shared(startDashboard);

/** Lambda's Invoke API for the actions: runs each call, and loses all responses but the last. */
const startLambda = async (lost: number) => {
  const payloads: Record<string, unknown>[] = [];
  const { url, stop } = await serve(async (request, response, body) => {
    payloads.push(JSON.parse(String(body)));
    const result = await dashboard.call(JSON.parse(String(body)));
    if (payloads.length <= lost) request.socket.destroy();
    else response.end(JSON.stringify(result));
  });
  return { payloads, url, stop };
};

test('the sample acts once if the response is lost twice', async () => {
  const sample = samplesOf('docs/developers-page.md').find(({ file }) => file === 'actions.mjs');
  const account = await dashboard.openAccount();
  const lambda = await startLambda(2);
  // In the folder that has its packages.
  const file = join(root, `sample-${process.pid}.mjs`);
  const program = `${sample?.text}\nconsole.log(JSON.stringify(await act('key.create', '${account}', { type: 'secret', name: 'Till' })));\n`;
  try {
    await writeFile(file, program);
    const env = { PATH: process.env['PATH'], AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_ENDPOINT_URL_LAMBDA: lambda.url };
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
    const { data } = await dashboard.act('key.list', account);
    expect([lambda.payloads.length, data.map(({ id }: { id: string }) => id)]).toEqual([3, [JSON.parse(stdout).id]]);
    expect(Object.keys(lambda.payloads[0] ?? {}).sort()).toEqual(['account', 'action', 'input', 'token']);
  } finally {
    await lambda.stop();
    await rm(file, { force: true });
  }
});
