import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { bundleDocs } from '../../lib/docs/bundle.ts';
import { viewerSource } from '../../lib/docs/stack.ts';
import { writePublishedSite } from '../../pages/docs/build.ts';
import { credentials } from '../providers/api-server.ts';
import { serve } from '../support/serve.ts';

type Parsed = Readonly<Record<string, any>>;

const viewer: (event: object) => Parsed = new Function(`${viewerSource()}; return handler;`)();
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
  const responses: Parsed[] = [];
  let client: S3Client;

  /** Runs the bundle as it is deployed. Returns what CloudFormation gets. */
  const run = async (RequestType: 'Create' | 'Update' | 'Delete', Bucket = bucket): Promise<Parsed | undefined> => {
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
