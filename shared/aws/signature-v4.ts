import { type Credentials, type HttpRequest, signedHeadersOf } from './sign.ts';

interface SignerOptions {
  readonly service: string;
  readonly region: string;
  readonly credentials: Credentials | (() => Promise<Credentials>);
  readonly uriEscapePath?: boolean;
}

/** In the place of `@smithy/signature-v4`, for requests without a query. */
export class SignatureV4 {
  readonly #options: SignerOptions;

  constructor(options: SignerOptions) {
    this.#options = options;
  }

  async sign(request: HttpRequest): Promise<HttpRequest> {
    const { service, region, credentials, uriEscapePath = true } = this.#options;
    const known = typeof credentials === 'function' ? await credentials() : credentials;
    return { ...request, headers: signedHeadersOf(request, { service, region, credentials: known, nowMs: Date.now(), uriEscapePath }) };
  }
}
