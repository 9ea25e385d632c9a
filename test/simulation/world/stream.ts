import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { matchesAny } from '../../../local/pollers/filter.ts';
import { schema, streamFilters } from '../../../shared/table/schema.ts';
import { recordOf, shardOf } from '../engine/stream.ts';
import type { Table } from '../engine/table.ts';
import type { World } from '../scheduler/process.ts';
import type { Random } from '../scheduler/random.ts';

/** A record that the function's filter lets through, and whether the function is done with it. */
export interface StreamedRecord {
  readonly record: DynamoDBRecord;
  readonly madeMs: number;
  doneMs: number | undefined;
}

interface Lane {
  readonly records: StreamedRecord[];
  next: number;
  /** Halved by every failure, as bisecting does. */
  most: number;
  failures: number;
  busy: boolean;
}

export interface StreamOptions {
  readonly world: World;
  readonly table: Table;
  readonly lanes: number;
  readonly invoke: (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;
}

const largestBatch = 100;
const longestPauseMs = 60_000;

/**
 * The change stream and its event source: in order within a lane, each batch as often as it takes; bisected by an invocation that was lost,
 * from the record on that the function reports; now and then again although it was done.
 */
export class StreamModel {
  readonly #options: StreamOptions;
  readonly #lanes: readonly Lane[];
  readonly #random: Random;
  #read = 0;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#random = options.world.scheduler.stream('stream');
    this.#lanes = Array.from({ length: options.lanes }, () => ({ records: [], next: 0, most: largestBatch, failures: 0, busy: false }));
  }

  get records(): readonly StreamedRecord[] {
    return this.#lanes.flatMap(({ records }) => records);
  }

  get isRead(): boolean {
    return this.#lanes.every(({ records, next, busy }) => next === records.length && !busy);
  }

  /** Something may have been written. */
  nudge(): void {
    const { table } = this.#options;
    for (let change = table.changes[this.#read]; change; change = table.changes[this.#read]) {
      this.#read += 1;
      const lane = this.#lanes[shardOf(change, schema.partitionKey, this.#lanes.length)] as Lane;
      const record = recordOf(table, change);
      if (!matchesAny(streamFilters, record)) continue;
      lane.records.push({ record, madeMs: change.atMs, doneMs: undefined });
      this.#later(lane, this.#random.below(this.#random.chance(0.1) ? 2_000 : 200));
    }
  }

  #later(lane: Lane, delayMs: number): void {
    this.#options.world.scheduler.after(delayMs, () => void this.#work(lane));
  }

  async #work(lane: Lane): Promise<void> {
    const { world, invoke } = this.#options;
    const { scheduler, accidents } = world;
    if (lane.busy || lane.next === lane.records.length) return;
    lane.busy = true;
    const batch = lane.records.slice(lane.next, lane.next + Math.min(lane.most, 1 + this.#random.below(largestBatch)));
    let done = 0;
    try {
      const { batchItemFailures } = await invoke({ Records: batch.map(({ record }) => record) });
      const first = batchItemFailures[0]?.itemIdentifier;
      done =
        first === undefined
          ? batch.length
          : Math.max(
              0,
              batch.findIndex(({ record }) => record.dynamodb?.SequenceNumber === first),
            );
    } catch {
      lane.most = Math.max(1, Math.floor(batch.length / 2));
    }
    for (const one of batch.slice(0, done)) one.doneMs ??= scheduler.now();
    const again =
      done === batch.length &&
      accidents.befalls('batch again', `record ${lane.next} of lane ${this.#lanes.indexOf(lane)}`, accidents.level.repeats, this.#random);
    if (!again) lane.next += done;
    if (done === batch.length) [lane.most, lane.failures] = [largestBatch, 0];
    else lane.failures += 1;
    lane.busy = false;
    this.#later(lane, lane.failures === 0 ? 0 : Math.min(longestPauseMs, 100 * 2 ** lane.failures));
  }
}
