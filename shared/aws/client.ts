import { crc32 } from 'node:zlib';
import { type CallError, errorTypeOf, type RetryStrategy, standardRetries } from './retries.ts';
import { type Credentials, type HttpRequest, signedHeadersOf } from './sign.ts';
import { createTransport, type HttpAnswer, type TransportOptions } from './transport.ts';

/** A transport of the SDK's interface, `NodeHttpHandler` for example. */
export interface RequestHandler {
  handle(request: HttpRequest & { readonly query: object }): Promise<{
    readonly response: {
      readonly statusCode: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
    };
  }>;
}

/** What the SDK's clients are configured with, as far as this service does. */
export interface ClientConfig {
  /** From `AWS_ENDPOINT_URL_<SERVICE>` or `AWS_ENDPOINT_URL` where absent, else the service's own in the region. */
  readonly endpoint?: string;
  /** `AWS_REGION` where absent. */
  readonly region?: string;
  /** Those of the environment where absent, as Lambda gives them. */
  readonly credentials?: Credentials | (() => Promise<Credentials>);
  readonly maxAttempts?: number;
  readonly requestHandler?: RequestHandler | TransportOptions;
  readonly retryStrategy?: RetryStrategy;
}

/** What a client knows of its service. */
export interface Service {
  /** In signatures and addresses: `dynamodb`. */
  readonly name: string;
  /** In the environment: `DYNAMODB`. */
  readonly variable: string;
  /** Milliseconds before the first retry, at most. */
  readonly retryBaseMs: number;
  /** Errors that callers tell apart by class. */
  readonly errors: Readonly<Record<string, typeof ServiceException>>;
}

/** One call in the service's protocol. */
export interface Call {
  readonly path?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** In the place of the service's own address where no endpoint is configured. */
  readonly origin?: string;
}

/** A refusal of the service: its name, message and members. */
export class ServiceException extends Error implements CallError {
  readonly $fault: 'client' | 'server';
  readonly $metadata: { readonly httpStatusCode: number; readonly requestId: string | undefined; clockSkewCorrected?: boolean };

  constructor(name: string, message: string, answer: HttpAnswer, members: object) {
    super(message);
    Object.assign(this, members);
    this.name = name;
    this.$fault = answer.statusCode < 500 ? 'client' : 'server';
    this.$metadata = { httpStatusCode: answer.statusCode, requestId: answer.headers['x-amzn-requestid'] };
  }
}

const environmentCredentials = (): Credentials => {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = process.env;
  if (!accessKeyId || !secretAccessKey)
    throw Object.assign(new Error('Unable to find environment variable credentials.'), { name: 'CredentialsProviderError' });
  return { accessKeyId, secretAccessKey, sessionToken };
};

const collect = async (body: AsyncIterable<Uint8Array> | Iterable<Uint8Array> = []): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const exchangeOf = (handler: ClientConfig['requestHandler']) => {
  if (handler && 'handle' in handler)
    return {
      async exchange(request: HttpRequest): Promise<HttpAnswer> {
        // As bytes, which is what the SDK hands over.
        const { response } = await handler.handle({ ...request, body: Buffer.from(request.body ?? ''), query: {} });
        return { ...response, body: await collect(response.body) };
      },
      destroy() {},
    };
  return createTransport(handler);
};

const parseBody = (body: Buffer): Record<string, unknown> => {
  if (body.length === 0) return {};
  try {
    return JSON.parse(body.toString('utf8')) as Record<string, unknown>;
  } catch {
    return {};
  }
};

/** `com.amazonaws.dynamodb.v20120810#ThrottlingException:http://…` is `ThrottlingException`. */
const errorName = (text: unknown): string => String(text).split('#').at(-1)?.split(/[:,]/)[0] ?? 'Unknown';

const refusalOf = (answer: HttpAnswer, errors: Service['errors']): ServiceException => {
  const members = parseBody(answer.body);
  const { __type, code, message, Message, ...rest } = members;
  const name = errorName(answer.headers['x-amzn-errortype'] ?? __type ?? code ?? 'Unknown');
  return new (errors[name] ?? ServiceException)(name, String(message ?? Message ?? 'UnknownError'), answer, rest);
};

/** Lambda's trace, so that what the call sets going is seen as its consequence, as the SDK does. */
const traceHeader = (): Record<string, string> => {
  const { AWS_LAMBDA_FUNCTION_NAME: name, _X_AMZN_TRACE_ID: trace } = process.env;
  return name && trace ? { 'x-amzn-trace-id': trace } : {};
};

/** Answers that say a wrong time may be the reason. */
const skewErrors = new Set(
  'AccessDeniedException AuthFailure InvalidSignatureException RequestExpired RequestInTheFuture RequestTimeTooSkewed SignatureDoesNotMatch'.split(
    ' ',
  ),
);
/** By it CloudTrail tells these calls from the SDK's. */
const userAgent = 'bakery-commerce-lean/1';
const tolerableSkewMs = 240_000;

const regionOf = (config: ClientConfig): string => {
  const region = config.region ?? process.env['AWS_REGION'];
  if (!region) throw new Error('Region is missing');
  return region;
};

const originOf = (service: Service, config: ClientConfig, own: string | undefined): URL => {
  const configured = config.endpoint ?? process.env[`AWS_ENDPOINT_URL_${service.variable}`] ?? process.env['AWS_ENDPOINT_URL'];
  if (configured || own) return new URL(configured ?? own ?? '');
  const region = regionOf(config);
  return new URL(`https://${service.name}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`);
};

/** Signed calls of one service: signs, sends, judges, and tries again what may succeed the next time. */
export class Client {
  readonly #service: Service;
  readonly #config: ClientConfig;
  readonly #transport: ReturnType<typeof exchangeOf>;
  readonly #retries: RetryStrategy;
  /** What the service's clock is ahead of ours. */
  #skewMs = 0;
  #origin: URL | undefined;

  constructor(service: Service, config: ClientConfig) {
    this.#service = service;
    this.#config = config;
    this.#transport = exchangeOf(config.requestHandler);
    this.#retries = config.retryStrategy ?? standardRetries(config.maxAttempts ?? 3, service.retryBaseMs);
  }

  /** The answer with a status below 300; throws a `ServiceException`, or what kept an answer from coming. */
  async call(call: Call): Promise<HttpAnswer> {
    let token = await this.#retries.acquireInitialRetryToken('');
    for (;;) {
      try {
        const answer = await this.#attempt(call);
        this.#retries.recordSuccess(token);
        return answer;
      } catch (error) {
        token = await this.#retries.refreshRetryTokenForRetry(token, { errorType: errorTypeOf(error as CallError), error }).catch(() => {
          throw error;
        });
        const delayMs = token.getRetryDelay();
        if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
    }
  }

  destroy(): void {
    this.#transport.destroy();
  }

  async #attempt({ path = '/', headers, body, origin }: Call): Promise<HttpAnswer> {
    const { credentials = environmentCredentials } = this.#config;
    this.#origin ??= originOf(this.#service, this.#config, origin);
    const { protocol, hostname, port, host } = this.#origin;
    const request: HttpRequest = {
      method: 'POST',
      protocol,
      hostname,
      port: port ? Number(port) : undefined,
      path,
      headers: { ...headers, ...traceHeader(), 'user-agent': userAgent, host, 'content-length': String(Buffer.byteLength(body)) },
      body,
    };
    const skewMs = this.#skewMs;
    const signed = signedHeadersOf(request, {
      service: this.#service.name,
      region: regionOf(this.#config),
      credentials: typeof credentials === 'function' ? await credentials() : credentials,
      nowMs: Date.now() + skewMs,
      uriEscapePath: true,
    });
    const answer = await this.#transport.exchange({ ...request, headers: signed });
    this.#learnTime(answer);
    if (answer.statusCode >= 300) {
      const refusal = refusalOf(answer, this.#service.errors);
      if (skewErrors.has(refusal.name) && this.#skewMs !== skewMs) refusal.$metadata.clockSkewCorrected = true;
      throw refusal;
    }
    const sum = answer.headers['x-amz-crc32'];
    if (sum !== undefined && Number(sum) !== crc32(answer.body))
      throw Object.assign(new Error('The answer is not what was sent: its CRC differs.'), { name: 'CRC32CheckFailed', code: 'ECONNRESET' });
    return answer;
  }

  #learnTime({ headers }: HttpAnswer): void {
    const serverMs = Date.parse(headers['date'] ?? '');
    if (Math.abs(serverMs - (Date.now() + this.#skewMs)) >= tolerableSkewMs) this.#skewMs = serverMs - Date.now();
  }
}

/** A call of the AWS JSON protocol 1.0. */
export const jsonCall = (target: string, body: string, origin?: string): Call => ({
  headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target },
  // As text it goes out in one piece with the headers.
  body,
  ...(origin === undefined ? {} : { origin }),
});

export const parseJson = (answer: HttpAnswer): Record<string, unknown> =>
  answer.body.length === 0 ? {} : (JSON.parse(answer.body.toString('utf8')) as Record<string, unknown>);
