import { atFirstUse } from '../../shared/core/at-first-use.ts';
import { systemClock } from '../../shared/core/clock.ts';
import { environment, requireEnv, requireRegion } from '../../shared/core/config.ts';
import { randomId } from '../../shared/core/ids.ts';
import { jsonLog } from '../../shared/core/log.ts';
import { systemRandom } from '../../shared/core/random.ts';
import { connectStore } from '../../shared/table/store.ts';
import { productionPolicy } from '../../shared/webhooks/policy.ts';
import { createSender } from '../../shared/webhooks/sender.ts';
import { actions } from './app.ts';

const names = requireEnv(process.env, [
  environment.table,
  environment.bucketsTable,
  environment.deliveryQueueUrl,
  environment.deliveryDeadLettersUrl,
  environment.searchQueueUrl,
  environment.searchDeadLettersUrl,
  environment.sweepFailuresUrl,
  environment.parkingNoticesUrl,
  environment.parkingBucket,
]);
// Few actions need a client beside DynamoDB's.
const operated = (queueUrl: string) =>
  atFirstUse({ send: true, depth: true, receive: true, remove: true, release: true }, async () =>
    (await import('../../shared/providers/operated-queue.ts')).connectOperatedQueue({ queueUrl }),
  );
const fanOut = atFirstUse({ replay: true }, async () => {
  const { connectReplay, fanOutNameBeside } = await import('../../shared/providers/fan-out.ts');
  return { replay: connectReplay({ functionName: fanOutNameBeside(process.env['AWS_LAMBDA_FUNCTION_NAME'] ?? '') }) };
});

export const handler = actions({
  region: requireRegion(process.env),
  store: connectStore({
    tableName: names.TABLE_NAME,
    bucketsTableName: names.BUCKETS_TABLE_NAME,
    clock: systemClock,
    random: systemRandom,
  }),
  queue: operated(names.DELIVERY_QUEUE_URL),
  queues: {
    delivery: operated(names.DELIVERY_QUEUE_URL),
    'delivery-dead-letters': operated(names.DELIVERY_DEAD_LETTERS_URL),
    search: operated(names.SEARCH_QUEUE_URL),
    'search-dead-letters': operated(names.SEARCH_DEAD_LETTERS_URL),
    'sweep-failures': operated(names.SWEEP_FAILURES_URL),
    'parking-notices': operated(names.PARKING_NOTICES_URL),
  },
  sender: createSender({ policy: productionPolicy }),
  policy: productionPolicy,
  parking: atFirstUse({ park: true, fetch: true }, async () =>
    (await import('../../shared/providers/parking.ts')).connectParkingLot({ bucket: names.PARKING_BUCKET }),
  ),
  replay: fanOut.replay,
  clock: systemClock,
  random: systemRandom,
  newId: randomId,
  log: jsonLog,
});
