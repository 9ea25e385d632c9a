import { readFileSync } from 'node:fs';
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, LoggingFormat, Runtime, SystemLogLevel, Tracing } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge, allow, tracingReasons } from '../permissions.ts';
import type { RegionSettings } from '../regions.ts';
import { type EdgeOutputs, edgeSecretHeader } from './stack.ts';

/** The source that is deployed. It fits into the template, so that it needs no bundle. */
export const authorizerSource = (): string => readFileSync(new URL('authorizer.cjs', import.meta.url), 'utf8');

/**
 * Creates the authorizer that passes only requests with the edge's secret. API Gateway remembers its
 * response for an hour, and rejects a request without the header without a call.
 */
export const createEdgeAuthorizer = (
  scope: Construct,
  { secretArn }: EdgeOutputs,
  { logRetentionDays, tracing }: Pick<RegionSettings, 'logRetentionDays' | 'tracing'>,
): HttpLambdaAuthorizer => {
  const here = new Construct(scope, 'EdgeAuthorizer');
  const functionName = `${Stack.of(scope).stackName}-edge-authorizer`;
  const logGroup = new LogGroup(here, 'Logs', {
    logGroupName: `/aws/lambda/${functionName}`,
    retention: logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const role = new Role(here, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  role.addToPolicy(allow(['logs:CreateLogStream', 'logs:PutLogEvents'], logGroup.logGroupArn));
  role.addToPolicy(allow(['secretsmanager:GetSecretValue'], secretArn));
  if (tracing) acknowledge(role, tracingReasons);
  const handler = new LambdaFunction(here, 'Function', {
    functionName,
    description: "Passes requests with the edge's secret to the API",
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: 'index.handler',
    code: Code.fromInline(authorizerSource()),
    role,
    logGroup,
    memorySize: 256,
    timeout: Duration.seconds(5),
    environment: { SECRET_ARN: secretArn },
    tracing: tracing ? Tracing.ACTIVE : Tracing.DISABLED,
    loggingFormat: LoggingFormat.JSON,
    systemLogLevelV2: SystemLogLevel.WARN,
  });
  return new HttpLambdaAuthorizer('Edge', handler, {
    authorizerName: 'edge',
    identitySource: [`$request.header.${edgeSecretHeader}`],
    responseTypes: [HttpLambdaResponseType.SIMPLE],
    resultsCacheTtl: Duration.hours(1),
  });
};
