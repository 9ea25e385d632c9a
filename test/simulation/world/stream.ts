import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { changeStream } from '../../../functions/event-sources.ts';
import { matchesAny } from '../../../local/pollers/stream.ts';
import { schema, streamFilters } from '../../../shared/table/schema.ts';
import { hashPosition, recordOf } from '../engine/stream.ts';
import type { Table } from '../engine/table.ts';
import type { World } from '../scheduler/process.ts';
import type { Random } from '../scheduler/random.ts';

/** A record that passes the function's filter, and when the function first and last finished it. */
export interface StreamedRecord {
  readonly record: DynamoDBRecord;
  readonly madeMs: number;
  doneMs: number | undefined;
  lastDoneMs: number | undefined;
}

const markDone = (one: StreamedRecord, atMs: number): void => {
  one.doneMs ??= atMs;
  one.lastDoneMs = atMs;
};

/** A shard: a range of partition keys, until it is split. */
interface Lane {
  readonly name: string;
  /** The range of its keys' positions: `from` inclusive, `below` exclusive. */
  readonly from: number;
  readonly below: number;
  readonly records: StreamedRecord[];
  next: number;
  /** The most records of the next batch. Every failure halves it. */
  most: number;
  failures: number;
  busy: boolean;
  /** Whether a read is already scheduled, so that a new record does not start a second one. */
  expected: boolean;
  /** The shards that continue it after it is read to its end. */
  heirs: readonly Lane[] | undefined;
}

export interface StreamOptions {
  readonly world: World;
  readonly table: Table;
  /** Number of shards at the start. */
  readonly lanes: number;
  readonly invoke: (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;
  /** Receives records that have become too old, whole, as JSON. */
  readonly onFailure: (key: string, json: string) => void;
}

const longestPauseMs = 60_000;
const mostLanes = 12;
/** Number of shard splits per repeated batch. */
const splitsPerRepeat = 0.1;

const laneOf = (name: string, from: number, below: number): Lane => ({
  ...{ name, from, below, records: [], next: 0, most: changeStream.batchSize, failures: 0, busy: false, expected: false, heirs: undefined },
});

/**
 * The change stream and its event source. Records of a shard are in order. A failed batch is
 * repeated from the record that the function reports; after a lost invocation it is bisected. Some
 * batches are repeated after success. Records that are too old go to the failure destination. A
 * split shard ends, and its two successors start after it is read.
 */
export class StreamModel {
  readonly #options: StreamOptions;
  readonly #lanes: Lane[];
  readonly #random: Random;
  #read = 0;

  constructor(options: StreamOptions) {
    const { lanes, world } = options;
    this.#options = options;
    this.#random = world.scheduler.stream('stream');
    this.#lanes = Array.from({ length: lanes }, (_, i) => laneOf(String(i), i / lanes, (i + 1) / lanes));
  }

  get records(): readonly StreamedRecord[] {
    return this.#lanes.flatMap(({ records }) => records);
  }

  get isRead(): boolean {
    return this.#lanes.every(({ records, next, busy }) => next === records.length && !busy);
  }

  /** Notes that the function finished records that an operator reinjected. */
  replayed(records: readonly DynamoDBRecord[]): void {
    const ids = new Set(records.map(({ eventID }) => eventID));
    for (const one of this.records) if (ids.has(one.record.eventID)) markDone(one, this.#options.world.scheduler.now());
  }

  /** Schedules reads, because the table may have changed. */
  nudge(): void {
    const { table } = this.#options;
    for (let change = table.changes[this.#read]; change; change = table.changes[this.#read]) {
      this.#read += 1;
      const record = recordOf(table, change);
      if (!matchesAny(streamFilters, record)) continue;
      const position = hashPosition(change, schema.partitionKey);
      const lane = this.#lanes.find(({ from, below, heirs }) => !heirs && from <= position && position < below) as Lane;
      lane.records.push({ record, madeMs: change.atMs, doneMs: undefined, lastDoneMs: undefined });
      this.#later(lane, this.#random.below(this.#random.chance(0.1) ? 2_000 : 200));
    }
  }

  #later(lane: Lane, delayMs: number): void {
    if (lane.expected) return;
    lane.expected = true;
    this.#options.world.scheduler.after(delayMs, () => {
      lane.expected = false;
      void this.#work(lane);
    });
  }

  #split(lane: Lane): void {
    const middle = (lane.from + lane.below) / 2;
    lane.heirs = [laneOf(`${lane.name}a`, lane.from, middle), laneOf(`${lane.name}b`, middle, lane.below)];
    this.#lanes.push(...lane.heirs);
  }

  /** Whether the shard before this one is not read to its end yet. */
  #waits(lane: Lane): boolean {
    return this.#lanes.some(({ heirs, next, records, busy }) => heirs?.includes(lane) && (next < records.length || busy));
  }

  /** Sends records that are too old to the failure destination. */
  #giveUp(lane: Lane): void {
    const { world, onFailure } = this.#options;
    const oldestMs = world.scheduler.now() - changeStream.maxRecordAgeSeconds * 1000;
    const batch = lane.records.slice(lane.next, lane.next + changeStream.batchSize).filter(({ madeMs }) => madeMs < oldestMs);
    if (batch.length === 0) return;
    const payload = JSON.stringify({ Records: batch.map(({ record }) => record) });
    world.scheduler.note('stream', `gives ${batch.length} records up`);
    onFailure(
      `aws/lambda/fan-out/shard-${lane.name}/${lane.next}`,
      JSON.stringify({ requestContext: { condition: 'EventAgeExceeded' }, version: '1.0', payload }),
    );
    lane.next += batch.length;
    this.#giveUp(lane);
  }

  async #work(lane: Lane): Promise<void> {
    const { world, invoke } = this.#options;
    const { scheduler, faults } = world;
    if (lane.busy || lane.next === lane.records.length) return;
    if (this.#waits(lane)) return this.#later(lane, 1_000);
    this.#giveUp(lane);
    const batch = lane.records.slice(lane.next, lane.next + Math.min(lane.most, 1 + this.#random.below(changeStream.batchSize)));
    if (batch.length === 0) return;
    lane.busy = true;
    let done = 0;
    try {
      const { batchItemFailures } = await invoke({ Records: batch.map(({ record }) => record) });
      const first = batchItemFailures[0]?.itemIdentifier;
      const failed = batch.findIndex(({ record }) => record.dynamodb?.SequenceNumber === first);
      done = first === undefined ? batch.length : Math.max(0, failed);
    } catch {
      lane.most = Math.max(1, Math.floor(batch.length / 2));
    }
    for (const one of batch.slice(0, done)) markDone(one, scheduler.now());
    const isDone = done === batch.length;
    const name = `record ${lane.next} of shard ${lane.name}`;
    const again = isDone && faults.befalls('batch again', name, faults.level.repeats, this.#random);
    if (!again) lane.next += done;
    if (isDone) [lane.most, lane.failures] = [changeStream.batchSize, 0];
    else lane.failures += 1;
    lane.busy = false;
    const mayEnd = isDone && !lane.heirs && this.#lanes.length < mostLanes;
    if (mayEnd && faults.befalls('shard splits', name, faults.level.repeats * splitsPerRepeat, this.#random)) this.#split(lane);
    this.#later(lane, lane.failures === 0 ? 0 : Math.min(longestPauseMs, 100 * 2 ** lane.failures));
  }
}
