import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { sentByCdk } from '../../lib/sent-by-cdk.ts';
import type { Check } from '../check.ts';
import { mustRun, run } from '../children.ts';
import { clientOf, type Emulator } from '../emulator.ts';
import type { Reader } from '../reader.ts';

const production = '111122223333';
const staging = '444455556666';
const configuration = {
  repository: 'acme/bakery',
  repositoryIds: '1234/567890',
  // The emulator's CloudFormation creates no provider.
  githubProviderArn: `arn:aws:iam::${production}:oidc-provider/token.actions.githubusercontent.com`,
  regions: 'eu',
  stage: 'staging',
  awsAccount: production,
  'awsAccount.staging': staging,
};

/**
 * No stack gets into the AWS account of another, and the stack for GitHub is sent as test/lib/github.test.ts
 * measures it. The emulator resolves no `AWS::AccountId` in conditions; that test evaluates them.
 */
export const checkAccounts = async (check: Check, reader: Reader, emulator: Emulator): Promise<void> => {
  await reader.follow({ language: 'json', text: JSON.stringify(configuration).slice(1, -1) });
  const { folder: cwd } = reader;
  const assembly = join(cwd, 'assembly');
  await mustRun('npx', ['cdk', 'synth', '--quiet', '--output', assembly], { env: emulator.env, cwd });
  const deploy = (account: string, stack: string) =>
    run('npx', ['cdk', 'deploy', stack, '--app', assembly], {
      env: { ...emulator.env, AWS_ACCESS_KEY_ID: account, AWS_REGION: 'eu-west-1' },
      cwd,
    });
  for (const [account, stack, own] of [
    [production, 'BakeryCommerce-staging-eu', staging],
    [staging, 'BakeryCommerce-eu', production],
  ] as const)
    await check(`credentials of the AWS account ${account} do not get ${stack} into it`, async () => {
      const { code, output } = await deploy(account, stack);
      assert.notEqual(code, 0);
      // The command takes roles of the stack's own account, which nobody has bootstrapped.
      assert.match(output, new RegExp(`not found in aws://${own}/eu-west-1`));
    });
  await check('cdk deploy sends the stack for GitHub in the form whose size a test limits', async () => {
    const stack = 'BakeryCommerce-github';
    const { code, output } = await deploy(production, stack);
    assert.equal(code, 0, output);
    const client = new CloudFormationClient({
      ...clientOf(emulator, 'eu'),
      credentials: { accessKeyId: production, secretAccessKey: 'test' },
    });
    const { TemplateBody } = await client.send(new GetTemplateCommand({ StackName: stack, TemplateStage: 'Original' }));
    client.destroy();
    assert.equal(TemplateBody, sentByCdk(JSON.parse(await readFile(join(assembly, `${stack}.template.json`), 'utf8'))));
  });
};
