import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { allow } from '../permissions.ts';

/** Path of every role and policy of the stack for GitHub. CloudFormation may change none of them. */
export const githubPath = '/github/';

/** Roles that CloudFormation creates for the service have names that begin with their stack's. */
const ownRoles = 'arn:aws:iam::*:role/BakeryCommerce-*';

/**
 * IAM's prefixes of the services behind each part of the templates, which is `X` in `AWS::X::Type`.
 * IAM itself is granted by `roleStatements`.
 */
export const executionServices: Readonly<Record<string, readonly string[]>> = {
  ApiGatewayV2: ['apigateway'],
  // A vault's creation calls `backup-storage:MountCapsule`.
  Backup: ['backup', 'backup-storage'],
  Budgets: ['budgets'],
  CertificateManager: ['acm'],
  CloudFront: ['cloudfront'],
  CloudWatch: ['cloudwatch'],
  CodeDeploy: ['codedeploy'],
  DynamoDB: ['dynamodb'],
  Events: ['events'],
  KMS: ['kms'],
  Lambda: ['lambda'],
  Logs: ['logs'],
  Route53: ['route53'],
  S3: ['s3'],
  SNS: ['sns'],
  SQS: ['sqs'],
  Scheduler: ['scheduler'],
  SecretsManager: ['secretsmanager'],
  WAFv2: ['wafv2'],
};

/**
 * Rights on the roles of the service. What widens a role is allowed only for roles with the
 * boundary: https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html
 */
const roleStatements = (boundaryArn: string): PolicyStatement[] => [
  allow(
    [
      'iam:DeleteRole',
      'iam:DeleteRolePolicy',
      'iam:DetachRolePolicy',
      'iam:GetRole',
      'iam:GetRolePolicy',
      'iam:ListAttachedRolePolicies',
      'iam:ListRolePolicies',
      'iam:PassRole',
      'iam:TagRole',
      'iam:UntagRole',
      'iam:UpdateAssumeRolePolicy',
      'iam:UpdateRole',
      'iam:UpdateRoleDescription',
    ],
    ownRoles,
  ),
  new PolicyStatement({
    actions: ['iam:AttachRolePolicy', 'iam:CreateRole', 'iam:PutRolePermissionsBoundary', 'iam:PutRolePolicy'],
    resources: [ownRoles],
    conditions: { StringEquals: { 'iam:PermissionsBoundary': boundaryArn } },
  }),
  // API Gateway and AWS Backup create their own role in an account that has none.
  new PolicyStatement({
    actions: ['iam:CreateServiceLinkedRole'],
    resources: ['*'],
    conditions: { StringEquals: { 'iam:AWSServiceName': ['backup.amazonaws.com', 'ops.apigateway.amazonaws.com'] } },
  }),
];

/** Rights of CloudFormation's execution role: the services of the templates and no other. */
export const executionStatements = (boundaryArn: string): PolicyStatement[] => [
  allow(
    Object.values(executionServices)
      .flat()
      .map((service) => `${service}:*`),
    '*',
  ),
  ...roleStatements(boundaryArn),
  // Every template has a parameter that reads the version of the bootstrap.
  allow(['ssm:GetParameter', 'ssm:GetParameters'], 'arn:aws:ssm:*:*:parameter/cdk-bootstrap/*'),
  // The stack of a region reads outputs of its edge.
  allow(['cloudformation:DescribeStacks'], 'arn:aws:cloudformation:*:*:stack/BakeryCommerce-*'),
];

/**
 * The most that a role of the service is able to do, whatever a template grants it. It holds no
 * right to change a function, a role or a stack, or what a deployment uploads.
 */
export const boundaryStatements = (): PolicyStatement[] => [
  allow(
    [
      'dynamodb:*',
      'events:PutEvents',
      'kms:*',
      'lambda:InvokeFunction',
      // CodeDeploy moves an alias between versions, and watches alarms.
      'cloudwatch:DescribeAlarms',
      'lambda:GetAlias',
      'lambda:GetProvisionedConcurrencyConfig',
      'lambda:UpdateAlias',
      'logs:*',
      'scheduler:*',
      'secretsmanager:GetSecretValue',
      'sqs:*',
      'ssm:GetParameters',
      'xray:PutTelemetryRecords',
      'xray:PutTraceSegments',
      // AWS Backup's policy for the second copy.
      'backup:*',
      'tag:GetResources',
    ],
    '*',
  ),
  // CloudFormation makes a bucket's name from the stack's, in lower case.
  allow(['s3:GetObject', 's3:ListBucket', 's3:PutObject'], 'arn:aws:s3:::bakerycommerce-*'),
  // The publisher of the docs replaces the files of its own bucket.
  allow(['s3:DeleteObject'], 'arn:aws:s3:::bakerycommerce-docs-*', 'arn:aws:s3:::bakerycommerce-*-docs-*'),
  allow(['iam:PassRole'], ownRoles),
];
