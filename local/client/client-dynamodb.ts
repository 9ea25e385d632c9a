import { Agent, type IncomingMessage, request } from 'node:http';

interface Answer {
  readonly statusCode: number;
  readonly body: AsyncIterable<Uint8Array>;
}

/** A transport of the SDK. Tests pass one to count calls and to make them fail. */
interface Handler {
  handle(request: object): Promise<{ readonly response: Answer }>;
}

/** The part of the SDK's configuration that the local client uses. */
interface ClientConfig {
  readonly endpoint?: string;
  readonly requestHandler?: Handler | object;
}

/** An error of the engine, with its name and fields, as the SDK throws it. */
class ServiceException extends Error {
  readonly $metadata: { readonly httpStatusCode: number };

  constructor(name: string, message: string, statusCode: number, members: object) {
    super(message);
    Object.assign(this, members);
    this.name = name;
    this.$metadata = { httpStatusCode: statusCode };
  }
}

export class ConditionalCheckFailedException extends ServiceException {}

export class TransactionCanceledException extends ServiceException {}

const known: Readonly<Record<string, typeof ServiceException>> = { ConditionalCheckFailedException, TransactionCanceledException };

const exceptionOf = (statusCode: number, body: string): ServiceException => {
  const { __type = 'Unknown', message, Message, ...members } = JSON.parse(body || '{}') as Readonly<Record<string, unknown>>;
  const name = String(__type).replace(/^.*#/, '');
  return new (known[name] ?? ServiceException)(name, String(message ?? Message ?? ''), statusCode, members);
};

/** Engines check no signature, but they require a dated header that names a key. */
const unchecked = {
  authorization: 'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
  'x-amz-date': '20260101T000000Z',
};
/** The same number of kept connections as the SDK. */
const maxSockets = 50;

const textOf = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

/**
 * Replaces `@aws-sdk/client-dynamodb` for the commands that the service uses. It sends AWS JSON 1.0
 * over kept connections to a local DynamoDB engine. It neither signs nor retries calls.
 */
export class DynamoDBClient {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets });
  readonly #handler: Handler | undefined;

  constructor({ endpoint = '', requestHandler = {} }: ClientConfig) {
    this.#url = new URL(endpoint);
    this.#handler = 'handle' in requestHandler ? requestHandler : undefined;
  }

  /**
   * Returns the fields of the response. Throws a `ServiceException`, or the error of the
   * connection.
   */
  async call(target: string, input: string): Promise<Record<string, unknown>> {
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': target,
      'content-length': String(Buffer.byteLength(input)),
      ...unchecked,
    };
    const answer = this.#handler ? await this.#handOver(this.#handler, headers, input) : await this.#post(headers, input);
    const body = await textOf(answer.body);
    if (answer.statusCode >= 300) throw exceptionOf(answer.statusCode, body);
    return JSON.parse(body || '{}') as Record<string, unknown>;
  }

  destroy(): void {
    this.#agent.destroy();
  }

  async #handOver(handler: Handler, headers: object, input: string): Promise<Answer> {
    const { protocol, hostname, port } = this.#url;
    const outgoing = { method: 'POST', protocol, hostname, port: Number(port), path: '/', query: {}, headers, body: Buffer.from(input) };
    return (await handler.handle(outgoing)).response;
  }

  #post(headers: Readonly<Record<string, string>>, input: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const outgoing = request(this.#url, { method: 'POST', agent: this.#agent, headers });
      outgoing.once('response', (body: IncomingMessage) => resolve({ statusCode: body.statusCode ?? 0, body }));
      outgoing.once('error', (error: NodeJS.ErrnoException) => {
        // The engine closed a kept connection before it read the call.
        if (outgoing.reusedSocket && error.code === 'ECONNRESET') resolve(this.#post(headers, input));
        else reject(error);
      });
      outgoing.end(input);
    });
  }
}
