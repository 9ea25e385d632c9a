import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import type { QueueName } from '../../../functions/actions/action.ts';
import { deliver } from '../../../functions/deliver/app.ts';
import { changeStream, concurrencyFor, minDeliveries, workQueue } from '../../../functions/event-sources.ts';
import { fanOut } from '../../../functions/fan-out/app.ts';
import { searchSync } from '../../../functions/search-sync/app.ts';
import { sweep } from '../../../functions/sweep/app.ts';
import { specOf } from '../../../lib/functions.ts';
import { type ActionCall, longestReplayMs, replayTimedOut } from '../../../shared/providers/siblings.ts';
import type { Services } from '../../../shared/services.ts';
import { ownerOf } from '../../../shared/table/keys.ts';
import type { Table } from '../engine/table.ts';
import { connectionFates, type Process, type World } from '../scheduler/process.ts';
import type { BadHours } from './bad-hours.ts';
import { weighsMore } from './calls.ts';
import { EventSource, type EventSourceOptions } from './event-source.ts';
import { LambdaFunction, type Met } from './functions.ts';
import { ParkingModel } from './parking.ts';
import { QueueModel } from './queue.ts';
import { SchedulesModel } from './schedules.ts';
import { StreamModel } from './stream.ts';
import { Sweeps } from './sweeps.ts';

export interface PipelineOptions {
  readonly world: World;
  readonly table: Table;
  readonly servicesOf: (process: Process) => Services;
  readonly badHours: BadHours;
  /** Invokes the dashboard's function. Rejects if the invocation does not end. */
  readonly act: (call: ActionCall) => Promise<unknown>;
}

/** The change stream, fan-out, queues, deliveries, search and parking of a region. */
export interface Pipeline {
  readonly stream: StreamModel;
  readonly queues: Readonly<Record<QueueName, QueueModel>>;
  /** The event source of deliveries. */
  readonly deliveries: EventSource;
  readonly schedules: SchedulesModel;
  readonly parking: ParkingModel;
  readonly sweeps: Sweeps;
  /** Invocations of `deliver` that did not end. */
  readonly lost: ReadonlySet<string>;
  /** Faults of the invocations of `deliver` that ended. */
  readonly met: ReadonlyMap<string, Met>;
  /** The time until which every invocation of fan-out fails. */
  outageUntilMs: number;
  /** Returns a function that invokes fan-out with one record as JSON. */
  replayFrom(process: Process): (json: string) => Promise<void>;
}

const shards = 3;

const accountsOf = (messages: SQSEvent): ReadonlySet<string> =>
  new Set(messages.Records.map(({ body }) => String((JSON.parse(body) as { readonly account?: string }).account)));
const ownersOf = (records: readonly DynamoDBRecord[]): ReadonlySet<string> =>
  new Set(records.map(({ dynamodb }) => ownerOf(String(dynamodb?.Keys?.['pk']?.S))));

/**
 * In some scenarios fan-out lacks its rights for most of a day, longer than records are retried.
 */
const breakNowAndThen = ({ scheduler, faults }: World, pipeline: Pipeline): void => {
  const random = scheduler.stream('rights of fan-out');
  scheduler.after(random.below(1_200_000), () => {
    if (!faults.befalls('fan-out loses its rights', 'fan-out', faults.level.lostRights, random)) return;
    pipeline.outageUntilMs = scheduler.now() + changeStream.maxRecordAgeSeconds * 1000 + random.below(7_200_000);
  });
};

/** Lambda tries a failed invocation of type `Event` twice more, after one minute and after two. */
const pausesMs = [0, 60_000, 120_000];

/** Returns what sends a call as an invocation of type `Event`: only its receipt is awaited. */
const sendCall =
  ({ scheduler }: World, process: Process, act: PipelineOptions['act']) =>
  (call: ActionCall): Promise<void> => {
    const run = async (): Promise<void> => {
      for (const pauseMs of pausesMs) {
        await scheduler.sleep(pauseMs);
        const isDone = await act(call).then(
          () => true,
          () => false,
        );
        if (isDone) return;
      }
    };
    return process.call({ what: `invoke ${call.action}`, faults: connectionFates, carry: () => void run() });
  };

export const openPipeline = ({ world, table, servicesOf, badHours, act }: PipelineOptions): Pipeline => {
  const { scheduler } = world;
  const open = (name: QueueName, to?: QueueModel): QueueModel =>
    new QueueModel({ world, name, ...(to && { redrive: { maxReceives: workQueue.maxReceives, to } }) });
  const ends = {
    'delivery-dead-letters': open('delivery-dead-letters'),
    'search-dead-letters': open('search-dead-letters'),
    'sweep-failures': open('sweep-failures'),
    'parking-notices': open('parking-notices'),
  };
  const queues = {
    ...ends,
    delivery: open('delivery', ends['delivery-dead-letters']),
    search: open('search', ends['search-dead-letters']),
  };
  const parking = new ParkingModel(world, queues['parking-notices']);
  const schedules = new SchedulesModel(world, queues.delivery);
  const lambda = <Handler>(name: 'deliver' | 'fan-out' | 'search-sync' | 'sweep', make: (process: Process) => Handler) =>
    new LambdaFunction(name, world, specOf(name).timeoutSeconds * 1000, make);

  const deliverer = lambda('deliver', (process) => deliver(servicesOf(process)));
  const fanner = lambda('fan-out', (process) => fanOut(servicesOf(process)));
  const syncer = lambda('search-sync', (process) => searchSync(servicesOf(process)));
  const sweeper = lambda('sweep', (process) => sweep({ ...servicesOf(process), startAction: sendCall(world, process, act) }));

  const fan = async (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    if (scheduler.now() < pipeline.outageUntilMs) throw new Error('Fan-out has lost its rights.');
    return (await fanner.invoke((handler) => handler(event), ownersOf(event.Records))).result;
  };
  const concurrency = concurrencyFor(minDeliveries);
  const source = (queue: QueueModel, atOnce: number, invoke: EventSourceOptions['invoke']) =>
    new EventSource({ world, queue, concurrency: atOnce, invoke });
  source(queues.search, concurrency.searchSync, (event) => syncer.invoke((sync) => sync(event), accountsOf(event)));

  const pipeline: Pipeline = {
    queues,
    schedules,
    parking,
    outageUntilMs: 0,
    lost: deliverer.lost,
    met: deliverer.met,
    deliveries: source(queues.delivery, concurrency.deliver, (event) => {
      badHours.requireStart();
      return deliverer.invoke((handler) => handler(event), accountsOf(event));
    }),
    stream: new StreamModel({ world, table, lanes: shards, invoke: fan, onFailure: (key, json) => parking.leave(key, json) }),
    sweeps: new Sweeps(world, queues['sweep-failures'], () => sweeper.invoke((run) => run())),
    replayFrom: (process) => async (json) => {
      const event = { Records: [JSON.parse(json) as DynamoDBRecord] };
      const work = async (): Promise<void> => {
        const { batchItemFailures } = await fan(event);
        if (batchItemFailures.length > 0) throw new Error('fan-out could not handle the record now; it stays parked');
        pipeline.stream.replayed(event.Records);
      };
      const carry = () => {
        const replay = work();
        // If the response is lost, no code handles its error.
        replay.catch(() => undefined);
        return { replay };
      };
      try {
        const { replay } = await process.call({ what: `replay ${event.Records[0]?.eventID}`, faults: connectionFates, carry });
        await Promise.race([replay, world.scheduler.sleep(longestReplayMs).then(() => Promise.reject(replayTimedOut()))]);
      } catch (error) {
        // A fault of fan-out counts as a fault of the call.
        process.faults += 1;
        weighsMore(process);
        throw error;
      }
    },
  };
  breakNowAndThen(world, pipeline);
  return pipeline;
};
