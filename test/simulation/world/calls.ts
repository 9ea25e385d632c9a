import { clientOf, type DocumentClient } from '../../../local/engine/client.ts';
import type { Engine, Fault } from '../engine/engine.ts';
import type { Fate } from '../scheduler/faults.ts';
import { BrokenConnection, connectionFates, type Outside, type Process } from '../scheduler/process.ts';
import { subject } from './functions.ts';
import type { HotPartitions } from './hot-partitions.ts';
import { partitionsOf } from './keys-of-calls.ts';
import { short } from './short.ts';

export { short } from './short.ts';

/** Errors that the SDK's clients retry, with three tries in total. */
const repeated = new Set(['ThrottlingException', 'InternalServerError', 'TransactionInProgressException']);
const tries = 3;

export const withRetries = async <Result>(process: Process, outside: Outside<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await process.call(outside);
    } catch (error) {
      const mayPass = error instanceof BrokenConnection || (error instanceof Error && repeated.has(error.name));
      if (!mayPass || attempt === tries) throw error;
      await process.wait(process.random.below(50 * 2 ** attempt));
    }
  }
};

/** Throws the error of a rejecting service. */
export const rejectIf = (rejection: Fate | undefined, service: string): void => {
  if (rejection) throw Object.assign(new Error(`${service} is ${rejection}.`), { name: 'ThrottlingException' });
};

/**
 * Counts a fault of a call without retries as three, because a call with retries would meet three.
 */
export const weighsMore = (process: Process): void => {
  process.faults += tries - 1;
};

type Part = { readonly Key?: Readonly<Record<string, unknown>>; readonly Item?: Readonly<Record<string, unknown>> };
const keyOf = ({ Key, Item }: Part): string => {
  const { pk, sk } = (Key ?? Item ?? {}) as { readonly pk?: string; readonly sk?: string };
  return sk === undefined ? String(pk) : `${pk} ${sk}`;
};

const describe = (operation: string, input: Readonly<Record<string, unknown>>): string => {
  if (operation === 'TransactWrite') {
    const writes = input['TransactItems'] as readonly Readonly<Record<string, Part>>[];
    return `TransactWrite ${writes.map((write) => Object.entries(write).map(([kind, part]) => `${kind} ${keyOf(part)}`)).join(', ')}`;
  }
  if (operation === 'Query') {
    const values = Object.values(input['ExpressionAttributeValues'] as Record<string, unknown>);
    return `Query ${input['IndexName'] ?? ''} ${values.join(' ')}`;
  }
  if (operation === 'BatchGet') {
    const [part] = Object.values(input['RequestItems'] as Record<string, { readonly Keys: readonly object[] }>);
    return `BatchGet ${part?.Keys.map((Key) => keyOf({ Key } as Part)).join(', ')}`;
  }
  return `${operation} ${keyOf(input as Part)}`;
};

const reads = new Set(['Get', 'Query', 'BatchGet']);
const fatesOf = (operation: string): readonly Fate[] => [
  ...connectionFates,
  'throttled',
  'unavailable',
  ...(reads.has(operation) ? [] : (['conflict', 'late'] as const)),
  ...(operation === 'BatchGet' ? (['in part'] as const) : []),
];

export interface TableCalls {
  readonly engine: Engine;
  readonly hot: HotPartitions;
  /** Whether DynamoDB throttles the table for calls of this partition, until it is told otherwise. */
  readonly isThrottled: (partition: string) => boolean;
  /** Receives the partitions and the process of every call that arrives. Throws to reject it. */
  readonly arrived: (process: Process, partitions: readonly string[], accounts: ReadonlySet<string> | undefined) => void;
  /** Receives the process of every executed call. */
  readonly carried: (process: Process) => void;
}

/** Returns the stores' client for one process. */
export const tableClient = (process: Process, { engine, hot, isThrottled, arrived, carried }: TableCalls): DocumentClient =>
  clientOf((operation, sentInput) => {
    const input =
      operation === 'TransactWrite'
        ? { ClientRequestToken: Buffer.from(process.random.bytes(12)).toString('base64url'), ...sentInput }
        : sentInput;
    const accounts = subject.getStore();
    return withRetries(process, {
      what: () => short(describe(operation, input as Readonly<Record<string, unknown>>)),
      faults: fatesOf(operation),
      carry: (fault) => {
        const partitions = partitionsOf(operation, input);
        arrived(process, partitions, accounts);
        const isHot = hot.isRejecting(partitions);
        if (isHot) process.faults += 1;
        const rejection = isHot
          ? 'hot'
          : partitions.some(isThrottled)
            ? 'throttled'
            : fault === 'in part'
              ? 'unprocessed'
              : (fault as Fault | undefined);
        const output = engine.execute(operation, input, rejection);
        carried(process);
        return output;
      },
    });
  });
