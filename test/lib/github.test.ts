import { describe, expect, test } from '@jest/globals';
import { App } from 'aws-cdk-lib/core';
import { functionNames } from '../../lib/functions.ts';
import { executionServices } from '../../lib/github/policies.ts';
import { readRepository, subjectsOf } from '../../lib/github/stack.ts';
import { readRegionSettings } from '../../lib/regions.ts';
import { regions } from '../../shared/core/config.ts';
import { allRightsContext, fullContext } from './contexts.ts';
import { allows, flatten, readStatements, type Statement, statementsOf } from './iam.ts';
import { sentByCdk } from './sent-by-cdk.ts';
import { propertiesOf, resourcesOf, synthesize, templateOf, theOnly } from './synthesize.ts';
import { type Context, synthesizeApp } from './synthesize-app.ts';

const repository = { repository: 'acme/bakery', repositoryIds: '1/2' };
const githubOf = (context: Context = {}) => templateOf(synthesize({ ...repository, ...context }).stacks, 'BakeryCommerce-github');
const github = githubOf({ stage: 'staging' });
const edgeOfEu = { 'apiDomain.eu': 'example.com', 'hostedZoneId.eu': 'Z1', 'edge.eu': true };

/** The role of an environment, with what it may do. */
const roleOf = (environment: string) => {
  const role = theOnly(github, 'AWS::IAM::Role', ({ RoleName }) => RoleName === `BakeryCommerce-${environment}`);
  const policies = role['Policies'] as readonly { readonly PolicyDocument: unknown }[];
  return { trust: role['AssumeRolePolicyDocument'], statements: policies.flatMap(({ PolicyDocument }) => readStatements(PolicyDocument)) };
};

interface Document {
  readonly Statement: readonly { readonly Action: string | string[]; readonly Resource: string | string[]; readonly Condition?: unknown }[];
}

const documentOf = (name: string): Document['Statement'] => {
  const { PolicyDocument } = theOnly(github, 'AWS::IAM::ManagedPolicy', ({ ManagedPolicyName }) => ManagedPolicyName === name);
  return (PolicyDocument as Document).Statement;
};

/** The statements of a managed policy, without their conditions. */
const policyOf = (name: string): Statement[] =>
  documentOf(name).map(({ Action, Resource }) => ({
    Effect: 'Allow',
    Action: [Action].flat(),
    Resource: [Resource].flat(),
    Condition: {},
  }));

const actionsOf = (environment: string, service: string): string[] =>
  roleOf(environment).statements.flatMap(({ Action }) => Action.filter((action) => action.startsWith(`${service}:`)));

const stacks = ['us', 'au', 'eu', 'staging-us', 'staging-au', 'staging-eu'];

test('an assembly without a repository has no stack for GitHub and no boundary', () => {
  const plain = synthesize();
  expect(Object.keys(plain.stacks)).toEqual(regions.map((region) => `BakeryCommerce-${region}`));
  expect(JSON.stringify(plain.templates.us.toJSON())).not.toContain('PermissionsBoundary');
});

test('a repository without its ids is rejected, because no page of GitHub would name the error', () => {
  expect(() => readRepository({ repository: 'acme/bakery' })).toThrow(/"repository" and "repositoryIds"/);
  expect(() => readRepository({ repositoryIds: '1/2' })).toThrow(/"repository" and "repositoryIds"/);
});

test('each stack has a role to plan, to deploy and to check, each for one environment under both subjects of GitHub', () => {
  for (const stack of stacks)
    for (const environment of [`${stack}-plan`, stack, `${stack}-check`])
      expect(roleOf(environment).trust).toMatchObject({
        Statement: [
          {
            Action: 'sts:AssumeRoleWithWebIdentity',
            Condition: {
              StringEquals: {
                'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
                'token.actions.githubusercontent.com:sub': [
                  `repo:acme/bakery:environment:${environment}`,
                  `repo:acme@1/bakery@2:environment:${environment}`,
                ],
              },
            },
          },
        ],
      });
  github.resourceCountIs('AWS::IAM::Role', stacks.length * 3);
  expect(subjectsOf({ name: 'octocat/my-repo', ids: '123456/456789', providerArn: undefined }, 'us')).toContain(
    'repo:octocat@123456/my-repo@456789:environment:us',
  );
});

test('the plan creates change sets and executes none, the deployment executes them and creates none, the check does neither', () => {
  for (const stack of stacks) {
    expect(actionsOf(`${stack}-plan`, 'cloudformation')).toContain('cloudformation:CreateChangeSet');
    expect(actionsOf(stack, 'cloudformation')).toContain('cloudformation:ExecuteChangeSet');
    const changing = (environment: string) => actionsOf(environment, 'cloudformation').filter((action) => !/:(Describe|Get)/.test(action));
    expect(changing(`${stack}-plan`)).toEqual(['cloudformation:CreateChangeSet', 'cloudformation:DeleteChangeSet']);
    expect(changing(stack)).toEqual(['cloudformation:ExecuteChangeSet', 'cloudformation:SetStackPolicy']);
    expect(changing(`${stack}-check`)).toEqual([]);
    expect(actionsOf(stack, 's3')).toEqual([]);
  }
});

test('no role of GitHub assumes another, reaches a second stack, or has a wildcard in an action', () => {
  for (const stack of stacks)
    for (const environment of [`${stack}-plan`, stack, `${stack}-check`])
      for (const { Action, Resource } of roleOf(environment).statements) {
        expect(Action.filter((action) => action.includes('*') || action.startsWith('sts:'))).toEqual([]);
        for (const resource of Resource.filter((one) => one.includes('BakeryCommerce')))
          expect(resource).toMatch(`BakeryCommerce-${stack}`);
        expect(Resource).not.toContain('*');
      }
});

test('an existing provider of the AWS account is used in place of a new one', () => {
  const arn = 'arn:aws:iam::123456789012:oidc-provider/token.actions.githubusercontent.com';
  const reusing = githubOf({ githubProviderArn: arn });
  reusing.resourceCountIs('AWS::IAM::OIDCProvider', 0);
  expect(JSON.stringify(reusing.toJSON())).toContain(`"Federated":"${arn}"`);
  github.hasResourceProperties('AWS::IAM::OIDCProvider', {
    Url: 'https://token.actions.githubusercontent.com',
    ClientIdList: ['sts.amazonaws.com'],
  });
});

test('CloudFormation may use exactly the services of the templates', () => {
  const templates = [synthesize(), synthesize(fullContext)].flatMap(({ stacks }) =>
    Object.entries(stacks).flatMap(([name, template]) => (name === 'BakeryCommerce-github' ? [] : [template])),
  );
  const types = templates.flatMap((template) =>
    Object.values((template.toJSON() as { Resources: Record<string, { Type: string }> }).Resources),
  );
  // A function of the template stands behind a custom resource.
  const parts = new Set(types.flatMap(({ Type }) => (Type.startsWith('Custom::') ? [] : [Type.split('::')[1]])));
  expect([...parts].sort()).toEqual([...Object.keys(executionServices), 'IAM'].sort());
  const granted = policyOf('BakeryCommerce-execution').flatMap(({ Action }) => Action.filter((action) => action.endsWith(':*')));
  expect(granted.sort()).toEqual(
    Object.values(executionServices)
      .flat()
      .map((service) => `${service}:*`)
      .sort(),
  );
});

test('CloudFormation changes roles of the service alone, and widens them only within the boundary', () => {
  const onRoles = documentOf('BakeryCommerce-execution').filter(({ Action }) =>
    [Action].flat().some((action) => /^iam:.*Role/.test(action)),
  );
  const widening = onRoles.filter(({ Action }) => /CreateRole|AttachRolePolicy|PutRole/.test(String(Action)));
  expect(widening.map(({ Condition }) => JSON.stringify(Condition))).toEqual([expect.stringContaining('"iam:PermissionsBoundary"')]);
  expect(onRoles.flatMap(({ Action }) => Action)).not.toContain('iam:DeleteRolePermissionsBoundary');
  for (const { Action, Resource } of onRoles)
    expect(Resource).toBe(Action === 'iam:CreateServiceLinkedRole' ? '*' : 'arn:aws:iam::*:role/BakeryCommerce-*');
  // The path of GitHub's own roles is not matched.
  for (const { Path } of propertiesOf(github, 'AWS::IAM::Role')) expect(Path).toBe('/github/');
});

test('every role of a service that a repository deploys has the boundary, which allows all rights of its functions', () => {
  const { templates } = synthesize({ ...allRightsContext, ...repository });
  const roles = propertiesOf(templates.us, 'AWS::IAM::Role');
  expect(new Set(roles.map(({ PermissionsBoundary }) => flatten(PermissionsBoundary)))).toEqual(
    new Set(['arn:aws:iam::<AWS::AccountId>:policy/github/BakeryCommerce-boundary']),
  );
  const boundary = policyOf('BakeryCommerce-boundary');
  const asks = functionNames.flatMap((name) => statementsOf(templates.us, name)).flatMap(({ Action }) => Action);
  const resourceOf = (action: string) =>
    ({ s3: 'arn:aws:s3:::bakerycommerce-us-parkinglotbucket', iam: 'arn:aws:iam::1:role/BakeryCommerce-us-DeliveryQueueSchedules' })[
      action.split(':')[0] as 's3'
    ] ?? 'any';
  expect(asks.filter((action) => !allows(boundary, { action, resource: resourceOf(action) }))).toEqual([]);
});

test('a policy is at most 6,144 characters, and the template small enough for a deployment without an upload', () => {
  for (const { PolicyDocument } of propertiesOf(github, 'AWS::IAM::ManagedPolicy'))
    expect(JSON.stringify(PolicyDocument).length).toBeLessThan(6_144);
  const longest = githubOf({
    // The command sets it. With it, each resource names its construct.
    'aws:cdk:enable-path-metadata': true,
    stage: 'longeststg',
    repository: `${'a'.repeat(39)}/${'b'.repeat(100)}`,
    repositoryIds: '999999999/9999999999',
    ...Object.fromEntries(['us', 'au', 'eu', 'longeststg'].map((place, index) => [`awsAccount.${place}`, `11112222333${index}`])),
    ...Object.fromEntries(regions.map((region) => [`awsRegion.${region}`, 'ap-southeast-2'])),
  });
  expect(sentByCdk(longest.toJSON()).length).toBeLessThanOrEqual(51_200);
});

test('the stack prints the command of the bootstrap', () => {
  const outputs = github.findOutputs('*');
  expect(flatten(outputs['Bootstrap']?.['Value'])).toMatch(
    /^npx cdk bootstrap aws:\/\/<AWS::AccountId>\/us-east-1 aws:\/\/<AWS::AccountId>\/ap-southeast-2 aws:\/\/<AWS::AccountId>\/eu-west-1 --cloudformation-execution-policies <Execution\w+>$/,
  );
});

test('a stack for some regions has roles and places of these alone, and the place of the docs', () => {
  const some = githubOf({ regions: 'eu', stage: 'staging', docs: true });
  some.resourceCountIs('AWS::IAM::Role', 6);
  expect(flatten(some.findOutputs('*')['Bootstrap']?.['Value']).match(/aws:\S+\/[a-z]+-\S+/g)).toEqual([
    'aws://<AWS::AccountId>/eu-west-1',
    'aws://<AWS::AccountId>/us-east-1',
  ]);
});

describe('stacks in several AWS accounts', () => {
  const [one, other] = ['111122223333', '444455556666'];
  const roles = (...places: readonly string[]) => places.flatMap((place) => [place, `${place}-check`, `${place}-plan`]).sort();
  const [us, au, eu] = ['us-east-1', 'ap-southeast-2', 'eu-west-1'];
  const stage = { stage: 'staging', awsAccount: one, 'awsAccount.staging': other, ...edgeOfEu, regions: 'eu' };
  const regionElsewhere = { awsAccount: one, 'awsAccount.us': other };

  /** The roles and the places of the bootstrap that a template has in an AWS account. */
  const inAccount = (template: ReturnType<typeof githubOf>, account: string) => {
    const { Conditions = {}, Outputs } = template.toJSON() as Record<string, Record<string, any>>;
    const isTrue = (name: string | undefined) => name === undefined || Conditions[name]['Fn::Equals'][1] === account;
    const created = Object.values(resourcesOf(template, 'AWS::IAM::Role')).filter((role) =>
      isTrue((role as { Condition?: string }).Condition),
    );
    const parts: readonly any[] = Outputs?.['Bootstrap'].Value['Fn::Join'][1];
    const text = parts
      .map((part) => (part['Fn::If'] ? part['Fn::If'][isTrue(part['Fn::If'][0]) ? 1 : 2] : typeof part === 'string' ? part : ''))
      .join('');
    return [created.map(({ Properties }) => String(Properties['RoleName']).replace('BakeryCommerce-', '')).sort(), text.match(/aws:\S+/g)];
  };

  test.each<[string, Context, string, string[], string[]]>([
    ['production beside its stage', stage, one, roles('eu'), [eu, us]],
    ['the stage beside production', stage, other, roles('staging-eu'), [eu, us]],
    ['a region beside two others', regionElsewhere, other, roles('us'), [us]],
    ['two regions beside another', regionElsewhere, one, roles('au', 'eu'), [au, eu]],
    ['no stack', regionElsewhere, '777788889999', [], []],
  ])(
    'the AWS account of %s gets its roles and the bootstrap of its places, and no others',
    (_what, context, account, environments, places) => {
      const expected = places.map((place) => `aws://${account}/${place}`);
      expect(inAccount(githubOf(context), account)).toEqual([environments, expected.length > 0 ? expected : null]);
    },
  );

  test('each stack, its edge and its docs can be deployed into their AWS account only', () => {
    const { app } = synthesizeApp({ ...repository, ...stage, docs: true });
    expect(Object.fromEntries(app.synth().stacks.map(({ stackName, environment }) => [stackName, environment.account]))).toEqual({
      'BakeryCommerce-eu': one,
      'BakeryCommerce-eu-edge': one,
      'BakeryCommerce-staging-eu': other,
      'BakeryCommerce-staging-eu-edge': other,
      'BakeryCommerce-docs': one,
      'BakeryCommerce-staging-docs': other,
      'BakeryCommerce-github': 'unknown-account',
    });
  });

  test('a configured AWS account neither creates, renames nor removes a resource of a stack', () => {
    const [plain, configured] = [synthesize(fullContext), synthesize({ ...fullContext, awsAccount: one })];
    for (const [name, template] of Object.entries(plain.stacks)) {
      const idsOf = (from: typeof template) =>
        Object.keys((from.toJSON() as { Resources: object }).Resources).filter((id) => !/CurrentVersion/.test(id));
      expect(idsOf(templateOf(configured.stacks, name))).toEqual(idsOf(template));
    }
  });

  test.each<[string, Context, string]>([
    ['an AWS account that only the stage has', { stage: 'staging', 'awsAccount.staging': other }, 'for BakeryCommerce-us too'],
    ['an AWS account that one region lacks', { 'awsAccount.us': one, 'awsAccount.au': one }, 'for BakeryCommerce-eu too'],
    ['a number, which may lose its first digits', { awsAccount: 111122223333 }, 'must be the id of an AWS account'],
  ])('the configuration rejects %s', (_what, context, message) => {
    expect(() => readRegionSettings(new App({ context: { ...context } }).node)).toThrow(message);
  });
});
