import { type ClientOptions, createClient } from '../../clients/typescript/src/index.ts';

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The outcome of one attempt: a status and body, or a network error. */
export type Met = readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>] | Error | 'hang';

const responseTo = async (met: Met, signal: AbortSignal): Promise<Response> => {
  if (met instanceof Error) throw met;
  if (met === 'hang') return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
  const [status, body, headers = {}] = met;
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
};

/** A client with scripted responses (the last one repeats) and waits that take no time. */
export const scripted = (script: readonly Met[], options: Partial<ClientOptions> = {}) => {
  const sent: Sent[] = [];
  const waitsMs: number[] = [];
  const client = createClient({
    apiKey: 'svc_sk_live_us_key',
    baseUrl: 'https://us.bakery.test/api/v2',
    random: () => 0.5,
    wait: async (ms) => void waitsMs.push(ms),
    fetch: async (url, init) => {
      const met = script[Math.min(sent.length, script.length - 1)] ?? [200, {}];
      sent.push({ method: init.method ?? '', url, headers: init.headers as Record<string, string>, body: init.body as string | undefined });
      return responseTo(met, init.signal as AbortSignal);
    },
    ...options,
  } as ClientOptions);
  return { client, sent, waitsMs };
};
