import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeleteObjectsCommand, ListObjectsV2Command, NoSuchBucket, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { addressToReplace, contentTypeOf } from '../../shared/core/static-pages.ts';

/**
 * A request of CloudFormation:
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref-requests.html
 */
export interface PublishRequest {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
  readonly ResourceProperties: { readonly Bucket: string; readonly Address: string };
}

/** Objects that are written at a time. */
const atOnce = 16;
/** So a reader sees a new version after two minutes at most: one in CloudFront, one in the browser. */
const cacheControl = 'public, max-age=60';
const list = '.bakery-docs.json';

const keysIn = async (client: S3Client, Bucket: string): Promise<string[]> => {
  const keys: string[] = [];
  for (let ContinuationToken: string | undefined, isFirst = true; isFirst || ContinuationToken; isFirst = false) {
    const page = await client.send(new ListObjectsV2Command({ Bucket, ContinuationToken }));
    keys.push(...(page.Contents ?? []).flatMap(({ Key = [] }) => Key));
    ContinuationToken = page.NextContinuationToken;
  }
  return keys;
};

const deleteKeys = async (client: S3Client, Bucket: string, keys: readonly string[]): Promise<void> => {
  for (let at = 0; at < keys.length; at += 1_000) {
    const Objects = keys.slice(at, at + 1_000).map((Key) => ({ Key }));
    const { Errors: [error] = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
    if (error) throw new Error(`${error.Key} was not deleted: ${error.Message}`);
  }
};

/** Makes the bucket hold the files of a folder and no others. Pages come after the files that they need. */
const publish = async (client: S3Client, folder: string, Bucket: string, address: string): Promise<void> => {
  const put = async (Key: string): Promise<void> => {
    const ContentType = contentTypeOf(Key);
    if (!ContentType) throw new Error(`${Key} has no known type.`);
    const bytes = await readFile(join(folder, Key));
    const Body = /\.(txt|xml)$/.test(Key) ? String(bytes).replaceAll(addressToReplace, address) : bytes;
    await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType, CacheControl: cacheControl }));
  };
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries.flatMap((entry) =>
    entry.isFile() && entry.name !== list ? join(entry.parentPath, entry.name).slice(folder.length + 1) : [],
  );
  const isPage = (name: string) => name.endsWith('.html');
  for (const part of [names.filter((name) => !isPage(name)), names.filter(isPage)])
    for (let at = 0; at < part.length; at += atOnce) await Promise.all(part.slice(at, at + atOnce).map(put));
  const published = new Set(names);
  const stale = (await keysIn(client, Bucket)).filter((key) => !published.has(key));
  await deleteKeys(client, Bucket, stale);
};

/** CloudFormation deletes only an empty bucket. One that is gone needs nothing, and must not block the deletion of the stack. */
const empty = async (client: S3Client, Bucket: string): Promise<void> => {
  try {
    await deleteKeys(client, Bucket, await keysIn(client, Bucket));
  } catch (error) {
    if (!(error instanceof NoSuchBucket)) throw error;
  }
};

/** Creates the handler that publishes a folder. CloudFormation waits for its response at an address of S3. */
export const publisher =
  (folder: string, client: S3Client) =>
  async ({ RequestType, ResponseURL, ResourceProperties: { Bucket, Address }, ...ids }: PublishRequest): Promise<void> => {
    let outcome: object = { Status: 'SUCCESS' };
    try {
      if (RequestType === 'Delete') await empty(client, Bucket);
      else await publish(client, folder, Bucket, Address);
    } catch (error) {
      outcome = { Status: 'FAILED', Reason: String(error).slice(0, 1_000) };
    }
    const { StackId, RequestId, LogicalResourceId } = ids;
    const body = JSON.stringify({ ...outcome, StackId, RequestId, LogicalResourceId, PhysicalResourceId: Bucket });
    // The address is signed for a request without a type.
    const response = await fetch(ResponseURL, { method: 'PUT', body: Buffer.from(body), headers: { 'content-type': '' } });
    if (!response.ok) throw new Error(`CloudFormation's address returned ${response.status}.`);
  };

export const handler = publisher(join(import.meta.dirname, 'site'), new S3Client({}));
