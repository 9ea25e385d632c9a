import type { AttemptResult } from './outcome.ts';

/** One delivery as it goes over the wire. */
export interface Delivery {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent byte for byte; a string as UTF-8. */
  readonly body: string | Uint8Array;
  /** Total: DNS, connection, TLS and the response's headers. */
  readonly timeoutMs: number;
}

export interface Sender {
  /** One POST, judged; never rejects. */
  send(delivery: Delivery): Promise<AttemptResult>;
  /** Ends every connection, kept alive or in use. */
  close(): void;
}
