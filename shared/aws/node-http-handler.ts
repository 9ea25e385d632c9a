import type { HttpRequest } from './sign.ts';
import { createTransport, type Transport, type TransportOptions } from './transport.ts';

/** In the place of `@smithy/node-http-handler`: answers are whole when they are handed over. */
export class NodeHttpHandler {
  readonly #transport: Transport;

  constructor(options?: TransportOptions) {
    this.#transport = createTransport(options);
  }

  async handle(request: HttpRequest): Promise<{ response: { statusCode: number; headers: object; body: readonly Uint8Array[] } }> {
    const { statusCode, headers, body } = await this.#transport.exchange(request);
    return { response: { statusCode, headers, body: [body] } };
  }
}
