import { Readable } from 'node:stream';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** One DynamoDB call as it went over the wire, failures included. */
export interface WireCall {
  /** `PutItem`, `TransactWriteItems`, … */
  readonly operation: string;
  readonly input: Record<string, unknown>;
  /** Capacity units of the response, tables and indexes together; 0 where none were reported. */
  capacityUnits: number;
  /** Units of indexes, in all and by name. */
  indexUnits: number;
  unitsByIndex?: Readonly<Record<string, number>>;
  /** Position among all starts and ends on this wire. */
  readonly startedAt: number;
  endedAt: number;
}

interface Named {
  readonly Keys?: readonly { readonly pk: { readonly S: string } }[];
}

/** The partitions of the items that a BatchGetItem asks for; empty of every other call. */
export const partitionsRead = ({ operation, input }: Pick<WireCall, 'operation' | 'input'>): string[] =>
  operation === 'BatchGetItem'
    ? Object.values(input['RequestItems'] as Record<string, Named>).flatMap(({ Keys = [] }) => Keys.map(({ pk }) => pk.S))
    : [];

type Handler = DynamoDBClient['config']['requestHandler'];
type HttpRequest = Parameters<Handler['handle']>[0];
type HttpHandlerOptions = Parameters<Handler['handle']>[1];
type Answer = Awaited<ReturnType<Handler['handle']>>;
type Send = () => Promise<Answer>;

/**
 * Stands between a client and its engine: counts, and lets a test fail calls or lose their answers.
 */
export interface Wire {
  /** `new DynamoDBClient({ ...engine.client, requestHandler: wire.requestHandler })`. */
  readonly requestHandler: { handle(request: HttpRequest, options?: HttpHandlerOptions): Promise<Answer> };
  readonly calls: readonly WireCall[];
  reset(): void;
  /** Longest chain of calls of which each started after the one before had ended. */
  sequentialTrips(): number;
  /** Replaces how calls are made, until called with undefined. */
  intercept(hook: ((call: WireCall, send: Send) => Promise<Answer>) | undefined): void;
}

const depthOf = (call: WireCall, calls: readonly WireCall[]): number =>
  1 + Math.max(0, ...calls.filter((other) => other.endedAt < call.startedAt).map((other) => depthOf(other, calls)));

interface Consumed {
  readonly CapacityUnits?: number;
  readonly GlobalSecondaryIndexes?: Readonly<Record<string, { readonly CapacityUnits?: number }>>;
}

const sum = (rows: readonly Consumed[]): number => rows.reduce((units, row) => units + (row.CapacityUnits ?? 0), 0);

export const createWire = (): Wire => {
  const http = new DynamoDBClient({ region: 'us-east-1' }).config.requestHandler;
  let tick = 0;
  let calls: WireCall[] = [];
  let hook: ((call: WireCall, send: Send) => Promise<Answer>) | undefined;

  const handle = async (request: HttpRequest, options?: HttpHandlerOptions): Promise<Answer> => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const input = JSON.parse(new TextDecoder().decode(request.body as Uint8Array)) as Record<string, unknown>;
    const body = JSON.stringify({ ...input, ReturnConsumedCapacity: 'INDEXES' });
    const counted = operation === 'Query' || operation.endsWith('Item') || operation.startsWith('Transact');
    const call: WireCall = { operation, input, capacityUnits: 0, indexUnits: 0, startedAt: tick++, endedAt: Number.POSITIVE_INFINITY };
    calls.push(call);
    const send: Send = async () => {
      const outgoing = counted
        ? { ...request, body, headers: { ...request.headers, 'content-length': String(Buffer.byteLength(body)) } }
        : request;
      const answer = await http.handle(outgoing as never, options);
      const chunks: Uint8Array[] = [];
      for await (const chunk of answer.response.body as AsyncIterable<Uint8Array>) chunks.push(chunk);
      const text = Buffer.concat(chunks);
      const { ConsumedCapacity = [] } = JSON.parse(text.toString() || '{}') as { ConsumedCapacity?: Consumed | readonly Consumed[] };
      const consumed = [ConsumedCapacity].flat() as readonly Consumed[];
      call.capacityUnits = sum(consumed);
      const indexes = consumed.flatMap((row) => Object.entries(row.GlobalSecondaryIndexes ?? {}));
      call.indexUnits = sum(indexes.map(([, row]) => row));
      call.unitsByIndex = Object.fromEntries(indexes.map(([name, { CapacityUnits = 0 }]) => [name, CapacityUnits]));
      answer.response.body = Readable.from([text]);
      return answer;
    };
    try {
      return hook ? await hook(call, send) : await send();
    } finally {
      call.endedAt = tick++;
    }
  };

  return {
    requestHandler: { handle },
    get calls() {
      return calls;
    },
    reset: () => {
      calls = [];
    },
    sequentialTrips: () => Math.max(0, ...calls.map((call) => depthOf(call, calls))),
    intercept: (next) => {
      hook = next;
    },
  };
};
