import { setImmediate as turn } from 'node:timers/promises';
import { clientOf, type DocumentClient } from '../../local/engine/client.ts';
import { commandOf } from './commands.ts';
import { withPromptRetries } from './retries.ts';

interface Consumed {
  readonly CapacityUnits?: number;
  readonly GlobalSecondaryIndexes?: Readonly<Record<string, { readonly CapacityUnits?: number }>>;
}

const sum = (rows: readonly Consumed[]): number => rows.reduce((units, row) => units + (row.CapacityUnits ?? 0), 0);

/** One DynamoDB call at the seam between stores and engine, failures included. */
export class WireCall {
  /** `PutItem`, `TransactWriteItems`, … */
  readonly operation: string;
  /** The input of the document client: plain values. */
  readonly input: Record<string, unknown>;
  /** Position among all starts and ends on this wire. */
  readonly startedAt: number;
  endedAt = Number.POSITIVE_INFINITY;
  #consumed: readonly Consumed[] | undefined;

  constructor(operation: string, input: Record<string, unknown>, startedAt: number) {
    this.operation = operation;
    this.input = input;
    this.startedAt = startedAt;
  }

  /** Stores the units that a response reports. A failed call has none. */
  setConsumed(output: Output): void {
    this.#consumed = [output['ConsumedCapacity'] ?? []].flat() as readonly Consumed[];
  }

  get #measured(): readonly Consumed[] {
    if (!this.#consumed) throw new Error('The wire measures units only after wire.measure().');
    return this.#consumed;
  }

  /** Capacity units, tables and indexes together. */
  get capacityUnits(): number {
    return sum(this.#measured);
  }

  get indexUnits(): number {
    return sum(this.#measured.flatMap((row) => Object.values(row.GlobalSecondaryIndexes ?? {})));
  }
}

/** A response of the document client. */
export type Output = Readonly<Record<string, unknown>>;
export type Send = () => Promise<Output>;
/** Makes a call, or fails it, or loses its response. */
export type Hook = (call: WireCall, send: Send) => Promise<Output>;

/** The partitions of the items that a BatchGetItem asks for; empty of every other call. */
export const partitionsRead = ({ operation, input }: Pick<WireCall, 'operation' | 'input'>): string[] =>
  operation === 'BatchGetItem'
    ? Object.values(input['RequestItems'] as Record<string, { readonly Keys: readonly { readonly pk: string }[] }>).flatMap(({ Keys }) =>
        Keys.map(({ pk }) => pk),
      )
    : [];

/**
 * Stands between the stores and their engine: counts calls, and lets a test fail them or lose their
 * responses.
 */
export interface Wire {
  /** The stores' client: `openDb(wire.client, …)`. Repeats failed calls as the SDK does, without its pauses. */
  readonly client: DocumentClient;
  readonly calls: readonly WireCall[];
  reset(): void;
  /** Resets, and measures the capacity units of the calls from now on, which takes a while. */
  measure(): void;
  /** Longest chain of calls of which each started after the one before had ended. */
  sequentialTrips(): number;
  /** Replaces how calls are made, until called with undefined. */
  intercept(hook: Hook | undefined): void;
}

const depthOf = (call: WireCall, calls: readonly WireCall[]): number =>
  1 + Math.max(0, ...calls.filter((other) => other.endedAt < call.startedAt).map((other) => depthOf(other, calls)));

const operations: Readonly<Record<string, string>> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  BatchGet: 'BatchGetItem',
  TransactWrite: 'TransactWriteItems',
};

/** Turns of the event loop that a call takes: more than work between two calls of a handler. */
const turnsPerCall = 3;

export const createWire = (client: DocumentClient): Wire => {
  let tick = 0;
  let calls: WireCall[] = [];
  let hook: Hook | undefined;
  let isMeasuring = false;

  const handle = async (kind: string, commandInput: object): Promise<Output> => {
    const input = commandInput as Record<string, unknown>;
    const operation = operations[kind] ?? kind;
    const call = new WireCall(operation, input, tick++);
    calls.push(call);
    const send: Send = async () => {
      // As over a network, no call ends before others of the same moment have started.
      for (let i = 0; i < turnsPerCall; i++) await turn();
      if (!isMeasuring) return (await client.send(commandOf(kind, input) as never)) as unknown as Output;
      call.setConsumed({});
      const output = (await client.send(commandOf(kind, { ...input, ReturnConsumedCapacity: 'INDEXES' }) as never)) as unknown as Output;
      call.setConsumed(output);
      return output;
    };
    try {
      return hook ? await hook(call, send) : await send();
    } finally {
      call.endedAt = tick++;
    }
  };

  return {
    client: clientOf((operation, input) => withPromptRetries(() => handle(operation, input))),
    get calls() {
      return calls;
    },
    reset: () => {
      calls = [];
    },
    measure: () => {
      calls = [];
      isMeasuring = true;
    },
    sequentialTrips: () => Math.max(0, ...calls.map((call) => depthOf(call, calls))),
    intercept: (next) => {
      hook = next;
    },
  };
};
