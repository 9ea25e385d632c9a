import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { App } from 'aws-cdk-lib/core';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { bundleDocs } from '../../lib/docs/bundle.ts';
import { readDocsSettings } from '../../lib/docs/settings.ts';
import { viewerSource } from '../../lib/docs/stack.ts';
import { pageHeaders } from '../../local/gateway/replies.ts';
import { writePublishedSite } from '../../pages/docs/build.ts';
import { credentials } from '../providers/api-server.ts';
import { serve } from '../support/serve.ts';
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

const viewer: (event: object) => Config = new Function(`${viewerSource()}; return handler;`)();
const host = 'docs.example';
const view = (uri: string) => viewer({ request: { uri, headers: { host: { value: host } } } });

test.each([
  ['/', '/index.html'],
  ['/reference/', '/reference/index.html'],
  ['/events/order.created/', '/events/order.created/index.html'],
  ['/llms.txt', '/llms.txt'],
  ['/openapi-3.0.json', '/openapi-3.0.json'],
  ['/unknown/', '/unknown/index.html'],
])('CloudFront reads for %s the object %s', (uri, object) => {
  expect(view(uri)['uri']).toBe(object);
});

test.each([
  ['/reference', `https://${host}/reference/`],
  ['/events/order.created', `https://${host}/events/order.created/`],
  ['//other.example', `https://${host}//other.example/`],
  ['/\\other.example', `https://${host}/\\other.example/`],
])('CloudFront redirects %s on its own host, because links of a page are relative', (uri, value) => {
  expect(view(uri)).toMatchObject({ statusCode: 308, headers: { location: { value } } });
});

describe('the publisher', () => {
  const [region, bucket, address] = ['us-east-1', 'docs', `https://${host}`];
  let folder: string;
  let s3: FauxqsServer;
  let cloudFormation: Awaited<ReturnType<typeof serve>>;
  const responses: Config[] = [];
  let client: S3Client;

  /** Runs the bundle as it is deployed. Returns what CloudFormation gets. */
  const run = async (RequestType: 'Create' | 'Update' | 'Delete', Bucket = bucket): Promise<Config | undefined> => {
    const ids = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Site' };
    const event = { RequestType, ...ids, ResponseURL: `${cloudFormation.url}/?signed`, ResourceProperties: { Bucket, Address: address } };
    const env = {
      ...{ PATH: process.env['PATH'], AWS_REGION: region, AWS_ENDPOINT_URL: `http://127.0.0.1:${s3.port}` },
      ...{ AWS_ACCESS_KEY_ID: credentials.accessKeyId, AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey },
    };
    const code = `const { handler } = await import(${JSON.stringify(join(folder, 'index.mjs'))}); await handler(${JSON.stringify(event)});`;
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { env });
    return responses.at(-1);
  };
  const keys = async () =>
    ((await client.send(new ListObjectsV2Command({ Bucket: bucket }))).Contents ?? []).flatMap(({ Key = [] }) => Key);
  const read = async (Key: string) => {
    const { Body, ContentType, CacheControl } = await client.send(new GetObjectCommand({ Bucket: bucket, Key }));
    return { text: (await Body?.transformToString()) ?? '', ContentType, CacheControl };
  };

  beforeAll(async () => {
    const root = await mkdtemp(join(tmpdir(), 'publisher-'));
    const settings = {
      stackName: 'BakeryCommerce-docs',
      stage: undefined,
      awsAccount: undefined,
      customDomain: undefined,
      hosts: { eu: 'eu.shop.test' },
      logRetentionDays: 1,
    };
    folder = (await bundleDocs([settings], writePublishedSite, root))['BakeryCommerce-docs'] ?? '';
    s3 = await startFauxqs({ port: 0, logger: false });
    s3.createBucket(bucket);
    client = new S3Client({ region, credentials, endpoint: `http://127.0.0.1:${s3.port}`, forcePathStyle: true });
    cloudFormation = await serve(({ method, headers }, response, body) => {
      responses.push({ method, type: headers['content-type'], ...JSON.parse(String(body)) });
      response.end();
    });
  });
  afterAll(async () => {
    client.destroy();
    await Promise.all([s3.stop(), cloudFormation.stop(), rm(join(folder, '..'), { recursive: true })]);
  });

  test('the publisher writes every file of the site with its type, and nothing else, and says so to CloudFormation', async () => {
    expect(await run('Create')).toEqual({
      ...{ method: 'PUT', type: '', Status: 'SUCCESS', PhysicalResourceId: bucket },
      ...{ StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Site' },
    });
    const entries = await readdir(join(folder, 'site'), { recursive: true, withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => join(entry.parentPath, entry.name));
    expect((await keys()).sort()).toEqual(names.map((name) => name.slice(join(folder, 'site').length + 1)).sort());
    expect(await read('reference/orders/index.html')).toMatchObject({
      ContentType: 'text/html; charset=utf-8',
      CacheControl: 'public, max-age=60',
    });
    const types = await Promise.all(
      ['llms.txt', 'openapi.json', 'sitemap.xml', 'docs.js', 'docs.css', 'favicon.svg', 'SKILL.md'].map(read),
    );
    expect(types.map(({ ContentType }) => ContentType)).toEqual([
      'text/plain; charset=utf-8',
      'application/json',
      'application/xml',
      'text/javascript; charset=utf-8',
      'text/css; charset=utf-8',
      'image/svg+xml',
      'text/markdown; charset=utf-8',
    ]);
  });

  test('each address of the sitemap leads through CloudFront to a page, and so do the links of llms.txt', async () => {
    const addresses = [
      ...(await read('sitemap.xml')).text.matchAll(/<loc>([^<]+)/g),
      ...(await read('llms.txt')).text.matchAll(/\]\((https:[^)]+)/g),
    ];
    const published = new Set(await keys());
    expect(addresses.length).toBeGreaterThan(80);
    for (const [, href = ''] of addresses) {
      const { origin, pathname } = new URL(href);
      expect([href, origin, published.has(view(pathname)['uri']?.slice(1))]).toEqual([href, address, true]);
    }
    expect((await read('robots.txt')).text).toContain(`Sitemap: ${address}/sitemap.xml`);
  });

  test('the publisher removes the files of an earlier version', async () => {
    await writeFile(join(folder, 'site/gone.md'), '# Gone');
    await run('Update');
    expect(await keys()).toContain('gone.md');
    await unlink(join(folder, 'site/gone.md'));
    await run('Update');
    expect(await keys()).not.toContain('gone.md');
  });

  test('the publisher fails the deployment with a reason if a file has no known type or the bucket does not respond', async () => {
    await writeFile(join(folder, 'site/x.unknown'), '');
    expect(await run('Update')).toMatchObject({ Status: 'FAILED', Reason: 'Error: x.unknown has no known type.' });
    await unlink(join(folder, 'site/x.unknown'));
    expect(await run('Update', 'none')).toMatchObject({
      Status: 'FAILED',
      Reason: expect.stringContaining('NoSuchBucket'),
      PhysicalResourceId: 'none',
    });
  });

  test('the publisher empties the bucket before the stack is deleted', async () => {
    expect(await run('Delete')).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: bucket });
    expect(await keys()).toEqual([]);
  });

  test('a stack whose bucket is already gone can be deleted', async () => {
    expect(await run('Delete', 'none')).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: 'none' });
  });
});
