import { type Runtime, startRuntime } from '../../local/runtime.ts';
import { until } from '../../test/support/eventually.ts';
import { serve } from '../../test/support/serve.ts';

export interface FairnessOptions {
  /** Deliveries of the account with an endpoint that never responds. */
  readonly backlog: number;
  /** Deliveries of the account with an endpoint that responds at once. */
  readonly deliveries: number;
  /** Milliseconds of a clock; without one, every latency is 0. */
  readonly now?: () => number;
}

/** The fields of the API's responses that this reads. */
interface Listed {
  readonly id: string;
  readonly data: readonly unknown[];
  readonly pagination: { readonly next_cursor: string | null };
}

/** Milliseconds from the write to the delivery's arrival. */
export interface Latencies {
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

export interface FairnessReport {
  readonly alone: Latencies;
  readonly behindBacklog: Latencies;
  /**
   * Requests of the backlog that hang when the other account's last delivery arrives; and requests
   * that ended.
   */
  readonly hanging: number;
  readonly ended: number;
}

const latenciesOf = (all: readonly number[]): Latencies => {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
};

/** A receiver that records the arrival of each expense's event and responds at once. */
const startPrompt = async (now: () => number) => {
  const arrivals = new Map<string, number>();
  const { url, stop } = await serve((_request, response, body) => {
    arrivals.set(JSON.parse(String(body)).data.object.id, now());
    response.end();
  });
  const arrived = (ids: readonly string[]): Promise<void> => until(() => ids.every((id) => arrivals.has(id)));
  return { url, stop, arrivals, arrived };
};

const startSilent = async () => {
  const counts = { hanging: 0, ended: 0 };
  const { url, stop } = await serve((_request, response) => {
    counts.hanging += 1;
    response.once('close', () => {
      counts.hanging -= 1;
      counts.ended += 1;
    });
  });
  return { url, stop, counts };
};

const act = async (runtime: Runtime, action: string, input: unknown, account?: string): Promise<Record<string, string>> => {
  const response = (await runtime.invokeAction('us', { action, input, ...(account ? { account } : {}) })) as {
    ok: boolean;
    result: Record<string, string>;
  };
  if (!response.ok) throw new Error(`${action}: ${JSON.stringify(response)}`);
  return response.result;
};

interface Customer {
  readonly account: string;
  /** Returns the number of delivery records of its endpoint. */
  recorded(): Promise<number>;
}

/** Creates an account with one endpoint through the API. */
const openAccount = async (runtime: Runtime, url: string): Promise<Customer> => {
  const { id: account = '' } = await act(runtime, 'account.create', { name: 'Bakery', plan: 'business' });
  const { key = '' } = await act(runtime, 'key.create', { type: 'secret', name: 'test' }, account);
  const request = async (path: string, body?: unknown): Promise<Listed> => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(
      `${runtime.urls.us}/api/v2${path}`,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    );
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}.`);
    return response.json();
  };
  const endpoint = await request('/webhooks', { url, events: ['expense.created'] });
  const recorded = async (): Promise<number> => {
    let count = 0;
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data, pagination } = await request(`/webhooks/${endpoint.id}/events?limit=100${cursor && `&cursor=${cursor}`}`);
      count += data.length;
      cursor = pagination.next_cursor;
    }
    return count;
  };
  return { account, recorded };
};

const input = { amount: 12.5, date: '2026-03-05', category: 'ingredients' };

/**
 * Measures one account's deliveries alone, then again behind another account's backlog at an
 * endpoint that hangs.
 */
export const measureFairness = async ({ backlog, deliveries, now = () => 0 }: FairnessOptions): Promise<FairnessReport> => {
  const runtime = await startRuntime({ regions: ['us'], allowLoopbackWebhooks: true });
  const prompt = await startPrompt(now);
  const silent = await startSilent();
  try {
    const [patient, hung] = [await openAccount(runtime, prompt.url), await openAccount(runtime, silent.url)];
    const deliver = async (): Promise<Latencies> => {
      const writes: { id: string; startedMs: number }[] = [];
      for (let i = 0; i < deliveries; i++) {
        const startedMs = now();
        const { id = '' } = await act(runtime, 'expense.create', input, patient.account);
        writes.push({ id, startedMs });
      }
      await prompt.arrived(writes.map(({ id }) => id));
      return latenciesOf(writes.map(({ id, startedMs }) => (prompt.arrivals.get(id) ?? Number.NaN) - startedMs));
    };
    await deliver(); // code and connections warm
    const alone = await deliver();
    for (let i = 0; i < backlog; i++) await act(runtime, 'expense.create', input, hung.account);
    while ((await hung.recorded()) < backlog) await new Promise((resolve) => setTimeout(resolve, 100));
    const behindBacklog = await deliver();
    return { alone, behindBacklog, ...silent.counts };
  } finally {
    await Promise.all([prompt.stop(), silent.stop(), runtime.stop()]);
  }
};
