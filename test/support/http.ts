import { request as httpRequest } from 'node:http';

export interface HttpRequest {
  readonly key?: string;
  /** A value is sent as JSON, a string as it is. Bytes are sent without a Content-Type. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Undefined if the text is not JSON. */
  readonly body: any;
}

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The body of a request as it is sent, and the headers of key and body with those of the caller. */
export const messageOf = ({ key, body, headers }: HttpRequest) => {
  const isBytes = body instanceof Uint8Array;
  const payload = body === undefined || typeof body === 'string' || isBytes ? body : JSON.stringify(body);
  return {
    payload,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      // For some methods, Node frames a body only if its length is given.
      ...(payload === undefined ? {} : { 'content-length': String(Buffer.byteLength(payload)) }),
      ...(payload === undefined || isBytes ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
  };
};

/** Sends a request with any method, Host and headers, because `fetch` forbids some. */
export const sendHttp = (url: string, method: string, request: HttpRequest = {}): Promise<HttpResponse> =>
  new Promise((resolve, reject) => {
    const { headers, payload } = messageOf(request);
    const outgoing = httpRequest(url, { method, headers, timeout: 60_000 });
    outgoing.once('timeout', () => outgoing.destroy(new Error(`${method} ${url} has no response after 60 s`)));
    outgoing.once('error', reject);
    outgoing.once('response', async (response) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of response as AsyncIterable<Uint8Array>) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parseJson(text) });
    });
    outgoing.end(payload);
  });
