import { readFileSync } from 'node:fs';
import { Certificate, CertificateValidation } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AccessLevel,
  CachePolicy,
  Distribution,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  Function as ViewerFunction,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type CfnFunction,
  type Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { type App, CfnOutput, CustomResource, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { contentPolicy, isolationHeaders } from '../../shared/core/static-pages.ts';
import { acknowledge, allow, everyObjectOf } from '../permissions.ts';
import { type DocsSettings, docsAwsRegion } from './settings.ts';

/** Returns the code of a docs stack: the publisher, and beside it the files of the site. */
export type DocsCodeProvider = (stackName: string) => Code;

/** The source that CloudFront runs. */
export const viewerSource = (): string => readFileSync(new URL('viewer.js', import.meta.url), 'utf8');

/** The headers of the local docs, and `Strict-Transport-Security`. */
const createHeaders = (stack: Stack, { hosts, stage }: DocsSettings): ResponseHeadersPolicy => {
  // The forms of the reference send requests to the API.
  const apis = Object.values(hosts).map((host) => `https://${host}`);
  const custom = { ...isolationHeaders, ...(stage && { 'x-robots-tag': 'noindex' }) };
  return new ResponseHeadersPolicy(stack, 'Headers', {
    responseHeadersPolicyName: stack.stackName,
    securityHeadersBehavior: {
      contentSecurityPolicy: { contentSecurityPolicy: contentPolicy(...(apis.length > 0 ? apis : ['https:'])), override: true },
      contentTypeOptions: { override: true },
      frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
      referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
      strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override: true },
    },
    customHeadersBehavior: {
      customHeaders: Object.entries(custom).map(([header, value]) => ({ header, value, override: true })),
    },
  });
};

const createBucket = (stack: Stack): Bucket => {
  const bucket = new Bucket(stack, 'Bucket', {
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    // The publisher empties it first.
    removalPolicy: RemovalPolicy.DESTROY,
  });
  acknowledge(bucket, { 'AwsSolutions-S1': 'Holds public pages, and no log of their readers is kept.' });
  return bucket;
};

const createDistribution = (stack: Stack, settings: DocsSettings, bucket: Bucket): Distribution => {
  const { customDomain } = settings;
  const zone =
    customDomain &&
    HostedZone.fromHostedZoneAttributes(stack, 'Zone', { hostedZoneId: customDomain.hostedZoneId, zoneName: customDomain.hostedZoneName });
  const viewer = new ViewerFunction(stack, 'Viewer', {
    functionName: `${stack.stackName}-viewer`,
    comment: 'Sends the page of a folder',
    runtime: FunctionRuntime.JS_2_0,
    code: FunctionCode.fromInline(viewerSource()),
  });
  const distribution = new Distribution(stack, 'Distribution', {
    comment: stack.stackName,
    ...(zone && {
      domainNames: [customDomain.hostname],
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      certificate: new Certificate(stack, 'Certificate', {
        domainName: customDomain.hostname,
        validation: CertificateValidation.fromDns(zone),
      }),
    }),
    httpVersion: HttpVersion.HTTP2_AND_3,
    // Never lists the bucket, whatever the viewer's function does.
    defaultRootObject: 'index.html',
    defaultBehavior: {
      // With the right to list, S3 returns 404 for an object that does not exist, otherwise 403.
      origin: S3BucketOrigin.withOriginAccessControl(bucket as IBucket, { originAccessLevels: [AccessLevel.READ, AccessLevel.LIST] }),
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      responseHeadersPolicy: createHeaders(stack, settings),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      functionAssociations: [{ function: viewer, eventType: FunctionEventType.VIEWER_REQUEST }],
    },
    errorResponses: [{ httpStatus: 404, responseHttpStatus: 404, responsePagePath: '/404.html', ttl: Duration.minutes(1) }],
  });
  acknowledge(distribution, {
    'Annotation::@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk': 'The root sends index.html.',
    'AwsSolutions-CFR1': 'Integrators may be in any country.',
    'AwsSolutions-CFR2': 'Serves public files only.',
    'AwsSolutions-CFR3': 'A log would hold addresses of readers.',
    ...(!customDomain && { 'AwsSolutions-CFR4': "CloudFront's own name has a certificate and a minimum of TLS that AWS sets." }),
  });
  if (zone) {
    // The trailing dot keeps the name absolute if the zone is a parent domain.
    const record = { zone, recordName: `${customDomain.hostname}.`, target: RecordTarget.fromAlias(new CloudFrontTarget(distribution)) };
    new ARecord(stack, 'Alias', record);
    new AaaaRecord(stack, 'AliasIpv6', record);
  }
  return distribution;
};

const createPublisher = (stack: Stack, { logRetentionDays }: DocsSettings, bucket: Bucket, code: Code): LambdaFunction => {
  const functionName = `${stack.stackName}-publisher`;
  const logGroup = new LogGroup(stack, 'Logs', {
    logGroupName: `/aws/lambda/${functionName}`,
    retention: logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  role.addToPolicy(allow(['logs:CreateLogStream', 'logs:PutLogEvents'], logGroup.logGroupArn));
  role.addToPolicy(allow(['s3:DeleteObject', 's3:PutObject'], bucket.arnForObjects('*')));
  role.addToPolicy(allow(['s3:ListBucket'], bucket.bucketArn));
  acknowledge(role, { [everyObjectOf(bucket)]: 'Replaces all files of the site.' });
  return new LambdaFunction(stack, 'Publisher', {
    functionName,
    description: 'Publishes the files beside it to the bucket of the docs',
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: 'index.handler',
    code,
    role,
    logGroup,
    memorySize: 512,
    timeout: Duration.minutes(5),
    loggingFormat: LoggingFormat.JSON,
    systemLogLevelV2: SystemLogLevel.WARN,
  });
};

/** Creates the stack of the docs: a private bucket behind CloudFront, and the function that fills it at each deployment. */
export const createDocsStack = (app: App, settings: DocsSettings, codeOf: DocsCodeProvider): Stack => {
  const stack = new Stack(app, settings.stackName, {
    description: 'Bakery commerce service, documentation',
    env: { region: docsAwsRegion, ...(settings.awsAccount !== undefined && { account: settings.awsAccount }) },
  });
  const bucket = createBucket(stack);
  const distribution = createDistribution(stack, settings, bucket);
  const address = `https://${settings.customDomain?.hostname ?? distribution.distributionDomainName}`;
  const publisher = createPublisher(stack, settings, bucket, codeOf(settings.stackName));
  new CustomResource(stack, 'Site', {
    resourceType: 'Custom::Site',
    serviceToken: publisher.functionArn,
    serviceTimeout: Duration.minutes(6),
    // CloudFormation publishes again if one of these changes.
    properties: { Bucket: bucket.bucketName, Address: address, Code: (publisher.node.defaultChild as CfnFunction).code },
  });
  new CfnOutput(stack, 'DocsUrl', { value: `${address}/` });
  return stack;
};
