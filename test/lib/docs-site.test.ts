import { describe, expect, test } from '@jest/globals';
import { App } from 'aws-cdk-lib/core';
import { readDocsSettings } from '../../lib/docs/settings.ts';
import { pageHeaders } from '../../local/gateway/replies.ts';
import { docsContext } from './contexts.ts';
import { allows, flatten, statementsOf } from './iam.ts';
import { propertiesOf, resourcesOf, synthesize, templateOf, theOnly } from './synthesize.ts';

const { stacks } = synthesize(docsContext);
const withDomain = templateOf(stacks, 'BakeryCommerce-docs');
const ofStage = templateOf(stacks, 'BakeryCommerce-staging-docs');
const withoutDomain = templateOf(synthesize({ docs: true }).stacks, 'BakeryCommerce-docs');

type Config = Readonly<Record<string, any>>;
const distributionOf = (template = withDomain) => theOnly(template, 'AWS::CloudFront::Distribution')['DistributionConfig'] as Config;
const headersOf = (template = withDomain): Readonly<Record<string, string>> => {
  const { ResponseHeadersPolicyConfig: config } = theOnly(template, 'AWS::CloudFront::ResponseHeadersPolicy') as Config;
  const { SecurityHeadersConfig: security, CustomHeadersConfig: custom } = config;
  return {
    'content-security-policy': security.ContentSecurityPolicy.ContentSecurityPolicy,
    'x-content-type-options': security.ContentTypeOptions.Override && 'nosniff',
    'referrer-policy': security.ReferrerPolicy.ReferrerPolicy,
    'x-frame-options': security.FrameOptions.FrameOption,
    'strict-transport-security': `max-age=${security.StrictTransportSecurity.AccessControlMaxAgeSec}`,
    ...Object.fromEntries(custom.Items.map(({ Header, Value }: Config) => [Header, Value])),
  };
};

describe('the stacks of the docs', () => {
  test('only `docs` adds a stack for production and one for the stage, and no stack of a region changes', () => {
    const { docs, ...others } = docsContext;
    const without = synthesize(others).stacks;
    const added = Object.keys(stacks).filter((name) => !(name in without));
    expect([docs, added]).toEqual([true, ['BakeryCommerce-docs', 'BakeryCommerce-staging-docs']]);
    for (const [name, template] of Object.entries(without)) expect(templateOf(stacks, name).toJSON()).toEqual(template.toJSON());
    expect(readDocsSettings(new App({ context: { ...docsContext, docs: 'false' } }).node)).toEqual([]);
  });

  test('the docs are at docs.<apiDomain>, those of a stage below its name, by IPv4 and IPv6, with TLS 1.2', () => {
    for (const [template, host] of [
      [withDomain, 'docs.api.example.com'],
      [ofStage, 'staging.docs.api.example.com'],
    ] as const) {
      expect(distributionOf(template)).toMatchObject({
        Aliases: [host],
        ViewerCertificate: { MinimumProtocolVersion: 'TLSv1.2_2021', SslSupportMethod: 'sni-only' },
      });
      template.hasResourceProperties('AWS::CertificateManager::Certificate', { DomainName: host });
      const records = propertiesOf(template, 'AWS::Route53::RecordSet').map(({ Name, Type }) => [Name, Type]);
      expect(records).toEqual([
        [`${host}.`, 'A'],
        [`${host}.`, 'AAAA'],
      ]);
      template.hasOutput('DocsUrl', { Value: `https://${host}/` });
    }
  });

  test('the docs of a deployment without a common domain have the name that CloudFront gives, and need no certificate', () => {
    expect(distributionOf(withoutDomain)['Aliases']).toBeUndefined();
    for (const type of ['AWS::CertificateManager::Certificate', 'AWS::Route53::RecordSet']) withoutDomain.resourceCountIs(type, 0);
    const [id] = Object.keys(resourcesOf(withoutDomain, 'AWS::CloudFront::Distribution'));
    expect(flatten(theOnly(withoutDomain, 'Custom::Site')['Address'])).toBe(`https://<${id}.DomainName>`);
    const context = { docs: true, 'apiDomain.eu': 'shop.example', 'hostedZoneId.eu': 'Z1' };
    const [settings] = readDocsSettings(new App({ context }).node);
    expect(settings).toMatchObject({ customDomain: undefined, hosts: { eu: 'eu.shop.example' } });
  });

  test('the bucket is private, encrypted and deleted with the stack, and CloudFront alone reads it, by TLS', () => {
    const [bucket] = Object.values(resourcesOf(withDomain, 'AWS::S3::Bucket'));
    expect(bucket).toMatchObject({ DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' });
    expect(bucket?.Properties).toEqual({
      BucketEncryption: { ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }] },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    });
    const { Statement } = theOnly(withDomain, 'AWS::S3::BucketPolicy')['PolicyDocument'] as { Statement: Config[] };
    expect(Statement.map(({ Effect, Action, Principal, Condition }) => [Effect, Action, Principal, Object.keys(Condition)])).toEqual([
      ['Deny', 's3:*', { AWS: '*' }, ['Bool']],
      ['Deny', 's3:*', { AWS: '*' }, ['NumericLessThan']],
      ['Allow', ['s3:GetObject', 's3:ListBucket'], { Service: 'cloudfront.amazonaws.com' }, ['StringEquals']],
    ]);
    expect(theOnly(withDomain, 'AWS::CloudFront::OriginAccessControl')['OriginAccessControlConfig']).toMatchObject({
      SigningBehavior: 'always',
      SigningProtocol: 'sigv4',
    });
  });

  test('the root of the docs never lists the bucket, even without the function of CloudFront', () => {
    expect(distributionOf()['DefaultRootObject']).toBe('index.html');
  });

  test('the configuration rejects docs without an AWS account if the regions have one, and a docs domain without a zone', () => {
    const accounts = { 'awsAccount.us': '111122223333', 'awsAccount.au': '111122223333', 'awsAccount.eu': '111122223333' };
    const zones = { apiDomain: 'api.example.com', 'hostedZoneId.us': 'Z1', 'hostedZoneId.au': 'Z2', 'hostedZoneId.eu': 'Z3' };
    for (const [context, message] of [
      [accounts, '"awsAccount" must be set for BakeryCommerce-docs too'],
      [zones, '"apiDomain" needs "hostedZoneId" for docs.api.example.com'],
    ] as const)
      expect(() => readDocsSettings(new App({ context: { docs: true, ...context } }).node)).toThrow(message);
  });

  test('the docs redirect to HTTPS, compress, keep no log, and send their own page with 404', () => {
    const config = distributionOf();
    expect(config['DefaultCacheBehavior']).toMatchObject({ ViewerProtocolPolicy: 'redirect-to-https', Compress: true });
    expect(config['CustomErrorResponses']).toEqual([
      { ErrorCode: 404, ResponseCode: 404, ResponsePagePath: '/404.html', ErrorCachingMinTTL: 60 },
    ]);
    expect(config['Logging']).toBeUndefined();
  });

  test('the docs have the headers of the local docs, and may send requests to the regions of the deployment only', () => {
    const { 'cache-control': _, 'content-security-policy': policy = '', ...local } = pageHeaders;
    const hsts = 'max-age=31536000';
    const { 'content-security-policy': own, ...others } = headersOf();
    expect(others).toEqual({ ...local, 'x-frame-options': 'DENY', 'strict-transport-security': hsts });
    const apis = ['us', 'au', 'eu'].map((region) => `https://${region}.api.example.com`).join(' ');
    expect(own).toBe(policy.replace("connect-src 'self'", `connect-src 'self' ${apis}`));
    expect(headersOf(withoutDomain)['content-security-policy']).toContain("connect-src 'self' https:;");
  });

  test('search engines do not list the docs of a stage', () => {
    expect([headersOf(ofStage)['x-robots-tag'], headersOf()['x-robots-tag']]).toEqual(['noindex', undefined]);
  });

  test('the publisher may change its own bucket and nothing else, and the boundary of roles allows that', () => {
    const [bucket] = Object.keys(resourcesOf(withDomain, 'AWS::S3::Bucket'));
    const rights = statementsOf(withDomain, 'publisher').filter(({ Action }) => !String(Action).startsWith('logs:'));
    expect(rights.map(({ Action, Resource }) => [Action, Resource])).toEqual([
      [['s3:DeleteObject', 's3:PutObject'], [`<${bucket}.Arn>/*`]],
      [['s3:ListBucket'], [`<${bucket}.Arn>`]],
    ]);
    const github = templateOf(stacks, 'BakeryCommerce-github');
    const { PolicyDocument } = theOnly(
      github,
      'AWS::IAM::ManagedPolicy',
      ({ ManagedPolicyName }) => ManagedPolicyName === 'BakeryCommerce-boundary',
    );
    const boundary = (PolicyDocument as { Statement: Config[] }).Statement.map(({ Action, Resource }) => ({
      ...{ Effect: 'Allow' as const, Condition: {} },
      ...{ Action: [Action].flat(), Resource: [Resource].flat() },
    }));
    const may = (action: string, name: string) => allows(boundary, { action, resource: `arn:aws:s3:::${name}/index.html` });
    const own = ['bakerycommerce-docs-bucket83908e77-x1', 'bakerycommerce-staging-docs-bucket83908e77-x1'];
    for (const name of own) expect(['s3:DeleteObject', 's3:PutObject', 's3:ListBucket'].filter((action) => !may(action, name))).toEqual([]);
    for (const stack of ['us', 'staging-us']) expect(may('s3:DeleteObject', `bakerycommerce-${stack}-parkinglotbucket1-x1`)).toBe(false);
  });

  test('CloudFormation publishes again whenever the files or the address change', () => {
    const site = theOnly(withDomain, 'Custom::Site');
    const { ZipFile } = theOnly(withDomain, 'AWS::Lambda::Function')['Code'] as Config;
    expect(site).toMatchObject({ Address: 'https://docs.api.example.com', Code: { zipFile: ZipFile } });
  });
});
