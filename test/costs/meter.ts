import type { FunctionName } from '../../lib/functions.ts';
import { type Item, itemBytes, valueBytes } from '../../local/engine/commands/values.ts';
import { kindOf } from '../../shared/table/keys.ts';
import { indexKeys, indexNames, type Kind, kinds, schema } from '../../shared/table/schema.ts';
import type { Pipeline } from '../support/pipeline.ts';
import type { WireCall } from '../support/wire.ts';
import type { World } from '../support/world.ts';

/** Bytes of items, and of their entries in indexes. */
export interface StoredBytes {
  readonly items: number;
  readonly entries: number;
}

/** Billed work of one invocation, measured by the real engine and the real chain. */
export interface Invocation {
  readonly function: FunctionName;
  /** DynamoDB calls, and the longest sequence of dependent calls. */
  readonly calls: number;
  readonly trips: number;
  readonly transactions: number;
  readonly readUnits: number;
  /** Write units by purpose. */
  readonly writeUnits: Readonly<Record<string, number>>;
  /** Bytes stored in the table: permanent ones, and ones that expire with a month's events. */
  readonly bytesMade: { readonly staying: StoredBytes; readonly expiring: StoredBytes };
  /** Bytes of each line that the function logged. */
  readonly lines: readonly number[];
  /** Messages to the queue, SendMessageBatch calls for them, and schedules created. */
  readonly messages: number;
  readonly sends: number;
  readonly schedules: number;
  /** Waits for a receiver, one after another. */
  readonly posts: number;
}

const batchOfQueue = 10;
const isWrite = ({ operation }: WireCall): boolean => /^(Put|Update|Delete|TransactWrite)/.test(operation);

const kindWritten = ({ input }: WireCall): Kind | undefined => {
  const { Item, Key } = input as { Item?: { pk?: string }; Key?: { pk?: string } };
  return kindOf((Item ?? Key)?.pk);
};

/** Purpose of a write on the table itself; index entries are counted separately. */
const partOf = (call: WireCall, bucketsTable: string): string => {
  const { operation, input } = call;
  if (input['TableName'] === bucketsTable) return 'bucket';
  if (operation === 'TransactWriteItems') return 'records';
  const expression = String(input['UpdateExpression'] ?? '');
  switch (kindWritten(call)) {
    case 'counter':
      return 'number';
    case 'event':
      return 'body';
    case 'deliveryRecord':
      return operation === 'PutItem' ? 'record' : 'end';
    case 'endpoint':
      return /ADD /.test(expression) ? 'count' : 'slots';
    default:
      return 'records';
  }
};

const writeUnitsOf = (calls: readonly WireCall[], bucketsTable: string): Record<string, number> => {
  const units: Record<string, number> = {};
  const add = (part: string, count: number) => {
    if (count > 0) units[part] = (units[part] ?? 0) + count;
  };
  for (const call of calls.filter(isWrite)) {
    add(partOf(call, bucketsTable), call.capacityUnits - call.indexUnits);
    add('indexes', call.indexUnits);
  }
  return units;
};

/**
 * Gives each duration in a line a fixed number of digits, so that figures do not depend on the
 * machine.
 */
const bytesOf = (line: Readonly<Record<string, unknown>>): number => {
  const times = ['ms', 'lag', 'waited'].filter((name) => line[name] !== undefined);
  return Buffer.byteLength(JSON.stringify({ ...line, ...Object.fromEntries(times.map((name) => [name, 100])) }));
};

/** Bytes that DynamoDB adds to each stored item and index entry. */
const bytesBeside = 100;

/** An item and its index entries, each with the keys of both and the one projected attribute. */
const storedBytesOf = (item: Item): StoredBytes => {
  const entries = indexNames.filter((name) => item[indexKeys(name).pk] !== undefined).length;
  const keys = 4 * 60;
  return {
    items: itemBytes(item) + bytesBeside,
    entries: entries * (valueBytes(item[schema.viewAttribute] ?? {}) + keys + bytesBeside),
  };
};

const bytesMadeBy = (calls: readonly WireCall[]): Invocation['bytesMade'] => {
  interface Put {
    readonly Item: Item;
    readonly ConditionExpression?: string;
  }
  const puts = calls.flatMap(({ operation, input }) => {
    const { TransactItems = [] } = input as { TransactItems?: readonly { readonly Put?: Put }[] };
    return operation === 'PutItem' ? [input as unknown as Put] : TransactItems.flatMap(({ Put }) => Put ?? []);
  });
  // A put with this condition replaces an existing item.
  const put = puts.filter(({ ConditionExpression }) => !ConditionExpression?.includes('#revision = :v0')).map(({ Item }) => Item);
  // Stored responses expire after a day.
  const lasting = put.filter(({ pk }) => !String(pk).startsWith(`${kinds.idempotency.prefix}#`));
  const sum = (items: readonly Item[]): StoredBytes =>
    items.map(storedBytesOf).reduce((total, one) => ({ items: total.items + one.items, entries: total.entries + one.entries }), {
      items: 0,
      entries: 0,
    });
  const [expiring = [], staying = []] = [true, false].map((expires) => lasting.filter((item) => schema.ttlAttribute in item === expires));
  return { staying: sum(staying), expiring: sum(expiring) };
};

export interface Meter {
  /** Runs one invocation of the function and returns its billed work. */
  run(name: FunctionName, invoke: () => Promise<unknown>): Promise<Invocation>;
}

/**
 * Measures one function at a time. With a pipeline, also measures queue, schedules and receivers.
 */
export const createMeter = ({ wire, log, tables }: Pick<World, 'wire' | 'log' | 'tables'>, pipeline?: Pipeline): Meter => ({
  async run(name, invoke) {
    let sends = 0;
    let messages = 0;
    let posts = 0;
    const schedulesBefore = pipeline?.schedules.size ?? 0;
    pipeline?.gate(async (step, go) => {
      if (step === 'sender') posts += 1;
      if (step !== 'queue') return await go();
      const before = pipeline.waiting.length;
      const result = await go();
      const sent = pipeline.waiting.length - before;
      messages += sent;
      sends += Math.ceil(sent / batchOfQueue);
      return result;
    });
    wire.measure();
    log.length = 0;
    await invoke();
    pipeline?.gate(undefined);
    const { calls } = wire;
    return {
      function: name,
      calls: calls.length,
      trips: wire.sequentialTrips(),
      transactions: calls.filter(({ operation }) => operation === 'TransactWriteItems').length,
      readUnits: calls.filter((call) => !isWrite(call)).reduce((sum, call) => sum + call.capacityUnits, 0),
      writeUnits: writeUnitsOf(calls, tables.bucketsTableName),
      bytesMade: bytesMadeBy(calls),
      lines: log.map(bytesOf),
      messages,
      sends,
      schedules: (pipeline?.schedules.size ?? 0) - schedulesBefore,
      posts,
    };
  },
});

export const totalOf = (units: Readonly<Record<string, number>>): number => Object.values(units).reduce((sum, part) => sum + part, 0);

/** An operation of the service, and its billed work. */
export interface Operation {
  readonly title: string;
  /** The route that the gateway logs for a request. */
  readonly route?: string;
  readonly invocations: readonly Invocation[];
  /** How many operations the invocations did: a batch of ten deliveries counts ten. */
  readonly count: number;
}
