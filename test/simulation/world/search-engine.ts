import { type AttemptResult, noResponse, resultOfStatus } from '../../../shared/webhooks/outcome.ts';
import type { Delivery, Sender } from '../../../shared/webhooks/sender.ts';
import { BrokenConnection, connectionFates, type Process, type World } from '../scheduler/process.ts';
import type { Random } from '../scheduler/random.ts';

export type Document = Readonly<Record<string, unknown>> & { readonly id: string };

/** States of the engine. */
const moods = ['works', 'is down', 'refuses', 'is slow'] as const;
type Mood = (typeof moods)[number];

/** Twice what a message's twenty receives take, so that some become dead letters. */
const longestMoodMs = 4 * 3_600_000;
const moodySpells = 6;

/** How many calls are slow while the engine works. Faults must be as frequent. */
const slowCalls = 0.25;

/**
 * A merchant's search engine. It upserts and deletes documents with its key, and is sometimes down,
 * rejecting or slow. Some calls are slow at any time.
 */
export class SearchEngineModel {
  readonly host = 'https://search.example.com';
  /** The key for writes. */
  readonly adminKey = 'search-admin-key';
  /** All requests, whatever their result. */
  readonly requests: { readonly account: unknown; readonly product: string }[] = [];
  readonly #collections = new Map<string, Map<string, Document>>();
  readonly #world: World;
  readonly #random: Random;
  /** Own draws, so that a slow call does not change the others. */
  readonly #slowness: Random;
  #mood: Mood = 'works';

  constructor(world: World) {
    this.#world = world;
    this.#random = world.scheduler.stream('search engine');
    this.#slowness = world.scheduler.stream('slow search calls');
    this.#changeMood(moodySpells);
  }

  documents(collection: string): readonly Document[] {
    return [...(this.#collections.get(collection)?.values() ?? [])];
  }

  #changeMood(remaining: number): void {
    const { scheduler } = this.#world;
    scheduler.after(this.#random.below(longestMoodMs), () => {
      this.#mood = remaining > 0 && this.#world.faults.level.repeats > 0 ? this.#random.pick(moods) : 'works';
      scheduler.note('search engine', this.#mood);
      if (remaining > 0) this.#changeMood(remaining - 1);
    });
  }

  /** Returns the response to a list of documents by filter. */
  #list({ url }: Delivery): Uint8Array {
    const { pathname, searchParams } = new URL(url);
    const [account, page, size] = ['filter_by', 'page', 'per_page'].map((name) => searchParams.get(name) ?? '');
    const documents = this.documents(decodeURIComponent(pathname.split('/')[2] ?? ''));
    const found = documents.filter((document) => `account:=${document['account']}` === account);
    const start = (Number(page) - 1) * Number(size);
    return Buffer.from(JSON.stringify({ hits: found.slice(start, start + Number(size)).map(({ id }) => ({ document: { id } })) }));
  }

  #serve({ method = 'POST', url, headers, body }: Delivery): number {
    if (headers['X-TYPESENSE-API-KEY'] !== this.adminKey) return 401;
    const { origin, pathname, searchParams } = new URL(url);
    const [, root, name = '', kind, id] = pathname.split('/').map(decodeURIComponent);
    if (origin !== this.host || root !== 'collections' || kind !== 'documents') return 404;
    const collection = this.#collections.get(name) ?? new Map<string, Document>();
    this.#collections.set(name, collection);
    if (method === 'GET') return id === 'search' ? 200 : 404;
    if (method === 'DELETE') return id !== undefined && collection.delete(id) ? 200 : 404;
    if (id !== undefined || searchParams.get('action') !== 'upsert') return 400;
    const document = JSON.parse(String(body)) as Document;
    this.requests.push({ account: document['account'], product: document.id });
    collection.set(document.id, document);
    return 201;
  }

  /**
   * Serves a call slowly: it executes the request some time before it responds. If the client gives up
   * before, it executes the request later or never.
   */
  #serveSlowly(delivery: Delivery): { readonly status: number | undefined; readonly ms: number } {
    const random = this.#slowness;
    const ms = random.below(2 * delivery.timeoutMs);
    const isAwaited = ms < delivery.timeoutMs;
    const status = delivery.method === undefined ? 201 : 200;
    if (isAwaited || random.chance(0.6)) this.#world.scheduler.after(random.below(ms), () => this.#serve(delivery));
    return isAwaited ? { status, ms } : { status: undefined, ms: delivery.timeoutMs };
  }

  /** Whether this call is slow. */
  #isSlow(): boolean {
    const { repeats } = this.#world.faults.level;
    return this.#mood === 'is slow' || (repeats > 0 && this.#slowness.chance(slowCalls));
  }

  /** Returns the sender for a process. Like the real one, it never rejects. */
  from(process: Process): Sender {
    const random = this.#random;
    return {
      close: () => undefined,
      send: (delivery) =>
        process
          .call<{ readonly status: number | undefined; readonly ms: number }>({
            what: `${delivery.method ?? 'POST'} ${delivery.url}`,
            faults: [...connectionFates, 'late', 'unavailable', 'throttled'],
            carry: (rejection) => {
              if (this.#mood === 'is down') return { status: undefined, ms: 1 + random.below(delivery.timeoutMs) };
              if (rejection || this.#mood === 'refuses') return { status: random.pick([401, 422, 429, 500, 503]), ms: 5 };
              return this.#isSlow() ? this.#serveSlowly(delivery) : { status: this.#serve(delivery), ms: 2 + random.below(50) };
            },
            tookMs: ({ ms }) => ms,
          })
          .then(
            ({ status, ms }): AttemptResult => {
              if (status === undefined) return noResponse;
              const result = resultOfStatus(status, ms);
              return delivery.wantsBody && result.success
                ? { ...result, receiverResponse: { contentType: 'application/json', body: this.#list(delivery) } }
                : result;
            },
            (error: unknown) => {
              if (error instanceof BrokenConnection) return noResponse;
              throw error;
            },
          ),
    };
  }
}
