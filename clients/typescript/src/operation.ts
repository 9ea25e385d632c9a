import type { CreateOptions, Request, Send } from './transport.ts';

/**
 * An operation as generated; `url` is a literal, so a path that the document lacks is a type error.
 */
interface Operation {
  readonly url: string;
  readonly body?: unknown;
  readonly query?: unknown;
}

interface Input<Data extends Operation> {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Data['query'];
  readonly body?: Data['body'];
}

/** One operation: its method, path, retry rule and types. */
export const operation =
  <Data extends Operation, Result>(send: Send, method: string, path: Data['url'], repeatable: Request['repeatable']) =>
  (input: Input<Data>, options?: CreateOptions): Promise<Result> =>
    send({ ...input, method, path, repeatable } as Request, options) as Promise<Result>;
