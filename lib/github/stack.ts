import {
  CfnOIDCProvider,
  type CfnRole,
  ManagedPolicy,
  PolicyDocument,
  PolicyStatement,
  Role,
  WebIdentityPrincipal,
} from 'aws-cdk-lib/aws-iam';
import { type App, Aws, CfnCondition, CfnOutput, Fn, type IStackSynthesizer, LegacyStackSynthesizer, Stack } from 'aws-cdk-lib/core';
import { type CdkContext, ConfigurationError, readKey } from '../configuration.ts';
import { type DocsSettings, docsAwsRegion } from '../docs/settings.ts';
import { edgeAwsRegion } from '../edge/stack.ts';
import { acknowledge, allow } from '../permissions.ts';
import type { RegionSettings } from '../regions.ts';
import { boundaryStatements, executionStatements, githubPath } from './policies.ts';

const issuer = 'token.actions.githubusercontent.com';
const boundaryName = 'BakeryCommerce-boundary';
/** Qualifier of a bootstrap that was not given another. */
const bootstrap = 'cdk-hnb659fds';

/** A repository on GitHub, by its names and by the ids that stay when it is renamed. */
export interface Repository {
  readonly name: string;
  readonly ids: string;
  readonly providerArn: string | undefined;
}

/** Returns the repository that deploys; undefined if none is configured. */
export const readRepository = (context: CdkContext): Repository | undefined => {
  const [name, ids, provider] = [readKey(context, 'repository'), readKey(context, 'repositoryIds'), readKey(context, 'githubProviderArn')];
  if (!name && !ids && !provider) return undefined;
  if (!name || !ids) throw new ConfigurationError('Context "repository" and "repositoryIds" are set together.');
  return { name: name.value, ids: ids.value, providerArn: provider?.value };
};

/** Returns the ARN of the boundary that every role of the service has if a repository deploys it. */
export const boundaryArn = `arn:aws:iam::${Aws.ACCOUNT_ID}:policy${githubPath}${boundaryName}`;

/**
 * Returns the subjects of a job in an environment, before and after GitHub added ids to them:
 * https://docs.github.com/en/actions/reference/security/oidc
 */
export const subjectsOf = ({ name, ids }: Repository, environment: string): readonly string[] => {
  const [[owner, repository], [ownerId, repositoryId]] = [name.split('/'), ids.split('/')];
  return [`${owner}/${repository}`, `${owner}@${ownerId}/${repository}@${repositoryId}`].map(
    (subject) => `repo:${subject}:environment:${environment}`,
  );
};

// biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation replaces it.
const accountId = '${AWS::AccountId}';
/** Returns a text that holds `accountId`. As a join of its parts the template would be too large for a deployment without an upload. */
const inAccount = (text: string): string => Fn.sub(text);

/** Rights of the three jobs on one stack. Only the execution of a change set changes the stack. */
const statementsOf = ({ stackName, awsRegion }: RegionSettings): Readonly<Record<'plan' | 'deploy' | 'check', PolicyStatement[]>> => {
  const stackArn = inAccount(`arn:aws:cloudformation:${awsRegion}:${accountId}:stack/${stackName}/*`);
  const assets = `arn:aws:s3:::${bootstrap}-assets-${accountId}-${awsRegion}`;
  const read = ['DescribeChangeSet', 'DescribeEvents', 'DescribeStackEvents', 'DescribeStacks', 'GetTemplate'];
  const onStack = (...actions: readonly string[]) =>
    allow(
      actions.map((action) => `cloudformation:${action}`),
      stackArn,
    );
  // AWS describes both: that the role is passed with the change set, and that executing needs the
  // right too. Alone it is of no use.
  const passRole = new PolicyStatement({
    actions: ['iam:PassRole'],
    resources: [inAccount(`arn:aws:iam::${accountId}:role/${bootstrap}-cfn-exec-role-${accountId}-${awsRegion}`)],
    conditions: { StringEquals: { 'iam:PassedToService': 'cloudformation.amazonaws.com' } },
  });
  return {
    plan: [
      onStack(...read, 'CreateChangeSet', 'DeleteChangeSet'),
      passRole,
      allow(['s3:GetBucketLocation', 's3:GetEncryptionConfiguration', 's3:ListBucket'], inAccount(assets)),
      allow(['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject'], inAccount(`${assets}/*`)),
      allow(
        ['ssm:GetParameter', 'ssm:GetParameters'],
        inAccount(`arn:aws:ssm:${awsRegion}:${accountId}:parameter/cdk-bootstrap/hnb659fds/version`),
      ),
    ],
    deploy: [onStack(...read, 'ExecuteChangeSet', 'SetStackPolicy'), passRole],
    check: [
      onStack('DescribeStacks'),
      allow(['lambda:InvokeFunction'], inAccount(`arn:aws:lambda:${awsRegion}:${accountId}:function:${stackName}-actions`)),
    ],
  };
};

/** Returns a resource as cdk-nag prints it. */
const flatten = (resource: string | { readonly 'Fn::Sub': string }): string =>
  typeof resource === 'string' ? resource : resource['Fn::Sub'].replaceAll(accountId, '<AWS::AccountId>');

/** Accepts cdk-nag's findings about wildcards in the statements. */
const acceptWildcards = (construct: Role | ManagedPolicy, statements: readonly PolicyStatement[], reason: string): void => {
  const stack = Stack.of(construct);
  const resolved = statements.flatMap(({ actions, resources }) => [
    ...actions.map((action) => `Action::${action}`),
    ...resources.map((resource) => `Resource::${flatten(stack.resolve(resource))}`),
  ]);
  const ids = [...new Set(resolved)].filter((finding) => finding.includes('*')).map((finding) => `AwsSolutions-IAM5[${finding}]`);
  acknowledge(construct, Object.fromEntries(ids.map((id) => [id, reason])));
};

/**
 * Returns a synthesizer for a stack that is deployed with the caller's credentials, without uploads.
 * The library's own classes do not match its interface under this compiler's options.
 */
const withoutBootstrap = (): IStackSynthesizer => {
  const inner = new LegacyStackSynthesizer();
  return {
    bind: (stack) => inner.bind(stack),
    synthesize: (session) => inner.synthesize(session),
    addFileAsset: (asset) => inner.addFileAsset(asset),
    addDockerImageAsset: (asset) => inner.addDockerImageAsset(asset),
  };
};

const pascal = (name: string): string => name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns, for the settings of a stack, the condition that the template is deployed in its AWS account; undefined if none is configured. */
const createAccountConditions = (stack: Stack, all: readonly RegionSettings[]) => {
  const accounts = new Set(all.flatMap(({ awsAccount }) => awsAccount ?? []));
  const conditions = new Map(
    [...accounts].map((account) => [
      account,
      new CfnCondition(stack, `Account${account}`, { expression: Fn.conditionEquals(Aws.ACCOUNT_ID, account) }),
    ]),
  );
  return ({ awsAccount = '' }: Pick<RegionSettings, 'awsAccount'>): CfnCondition | undefined => conditions.get(awsAccount);
};

/**
 * Creates the stack that lets a repository deploy: GitHub's OIDC provider, three roles for each
 * regional stack, and the policies that bound what a template can do. It needs no bootstrap,
 * because the bootstrap needs its policy. One template serves several AWS accounts: each creates the
 * roles of its own stacks.
 */
export const createGithubStack = (
  app: App,
  repository: Repository,
  all: readonly RegionSettings[],
  docs: readonly DocsSettings[],
): Stack => {
  const stack = new Stack(app, 'BakeryCommerce-github', {
    description: `Deployments of ${repository.name} from GitHub`,
    synthesizer: withoutBootstrap(),
  });
  // AWS checks GitHub's certificate by its own list of authorities, so no thumbprint is needed.
  const providerArn =
    repository.providerArn ??
    new CfnOIDCProvider(stack, 'Provider', { url: `https://${issuer}`, clientIdList: ['sts.amazonaws.com'] }).attrArn;
  const policyOf = (id: string, managedPolicyName: string, statements: PolicyStatement[], reason: string): ManagedPolicy => {
    const policy = new ManagedPolicy(stack, id, { managedPolicyName, path: githubPath, statements });
    acceptWildcards(policy, statements, reason);
    return policy;
  };
  policyOf(
    'Boundary',
    boundaryName,
    boundaryStatements(),
    'A boundary grants nothing. Each role of the service has its own narrow policy.',
  );
  const execution = policyOf(
    'Execution',
    'BakeryCommerce-execution',
    executionStatements(boundaryArn),
    'CloudFormation creates, changes and deletes resources whose names it makes itself. Roles are limited by name and by the boundary.',
  );
  const conditionOf = createAccountConditions(stack, all);
  for (const settings of all) {
    const region = settings.stackName.replace('BakeryCommerce-', '');
    for (const [job, statements] of Object.entries(statementsOf(settings))) {
      const environment = job === 'deploy' ? region : `${region}-${job}`;
      const role = new Role(stack, `${pascal(region)}${pascal(job)}`, {
        roleName: `BakeryCommerce-${environment}`,
        path: githubPath,
        // Beside the role, a policy is a third more template, which would be too much for the deployment.
        inlinePolicies: { rights: new PolicyDocument({ statements }) },
        assumedBy: new WebIdentityPrincipal(providerArn, {
          StringEquals: { [`${issuer}:aud`]: 'sts.amazonaws.com', [`${issuer}:sub`]: subjectsOf(repository, environment) },
        }),
      });
      const condition = conditionOf(settings);
      if (condition) (role.node.defaultChild as CfnRole).cfnOptions.condition = condition;
      acceptWildcards(
        role,
        statements,
        "The ARN of a stack ends with an id that CloudFormation makes; objects of the bootstrap's bucket are named by their contents.",
      );
    }
  }
  const places = [
    ...all.flatMap(({ awsAccount, awsRegion, edge }) => [
      { awsAccount, awsRegion },
      ...(edge ? [{ awsAccount, awsRegion: edgeAwsRegion }] : []),
    ]),
    ...docs.map(({ awsAccount }) => ({ awsAccount, awsRegion: docsAwsRegion })),
  ];
  const environments = [...Map.groupBy(places, ({ awsAccount, awsRegion }) => `${awsAccount}/${awsRegion}`).values()].flatMap(([one]) => {
    if (!one) return [];
    const place = ` aws://${one.awsAccount ?? Aws.ACCOUNT_ID}/${one.awsRegion}`;
    const condition = conditionOf(one);
    return [condition ? Fn.conditionIf(condition.logicalId, place, '').toString() : place];
  });
  new CfnOutput(stack, 'Bootstrap', {
    value: Fn.join('', ['npx cdk bootstrap', ...environments, ` --cloudformation-execution-policies ${execution.managedPolicyArn}`]),
  });
  return stack;
};
