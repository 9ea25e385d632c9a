import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

interface Operation {
  readonly operationId: string;
  readonly description: string;
}

interface EventOperation {
  readonly summary: string;
  readonly description: string;
}

interface Document {
  readonly servers: readonly unknown[];
  /** Operations by method, and beside them what they share. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation | readonly unknown[]>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: EventOperation }>>;
}

const isOperation = (member: Operation | readonly unknown[]): member is Operation => 'operationId' in member;

export const readDocument = (): Promise<Buffer> => readFile(new URL('../../docs/openapi.json', import.meta.url));

/** Redoc shows an event's summary and nowhere its type, which is what a receiver branches on: the type becomes the heading. */
const headedByType = (webhooks: Document['webhooks']) =>
  Object.fromEntries(
    Object.entries(webhooks).map(([type, { post }]) => [
      type,
      { post: { ...post, summary: type, description: `${post.summary}. ${post.description}` } },
    ]),
  );

/** The document as the page shows it: this machine is the first server, every operation can be tried, and events go by their type. */
export const pageDocument = (bytes: Buffer): Buffer => {
  const document = JSON.parse(bytes.toString('utf8')) as Document;
  const withTry = (operation: Operation): Operation => ({
    ...operation,
    description: `${operation.description}\n\n[Try it](#try/${operation.operationId})`,
  });
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item).map(([name, member]) => [name, isOperation(member) ? withTry(member) : member])),
  ]);
  const servers = [{ url: '/api/v2', description: 'This machine' }, ...document.servers.slice(0, 1)];
  return Buffer.from(JSON.stringify({ ...document, servers, paths: Object.fromEntries(paths), webhooks: headedByType(document.webhooks) }));
};

/** The one image that Redoc would fetch from its maker's host. */
const logo = 'https://cdn.redoc.ly/redoc/logo-mini.svg';

/** Redoc from its package, in one file. */
export const readRedoc = async (): Promise<Buffer> => {
  const path = createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js');
  return Buffer.from((await readFile(path, 'utf8')).replace(logo, 'data:,'));
};
