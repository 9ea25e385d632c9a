import { atFirstUse } from '../../shared/core/at-first-use.ts';
import { systemClock } from '../../shared/core/clock.ts';
import { environment, requireEnv } from '../../shared/core/config.ts';
import { jsonLog } from '../../shared/core/log.ts';
import { systemRandom } from '../../shared/core/random.ts';
import { connectSqs, queueOver } from '../../shared/providers/queue.ts';
import { connectStore } from '../../shared/table/store.ts';
import { fanOut } from './app.ts';

const names = requireEnv(process.env, [
  environment.table,
  environment.deliveryQueueUrl,
  environment.searchQueueUrl,
  environment.parkingBucket,
]);

const sqs = connectSqs();

export const handler = fanOut({
  store: connectStore({ tableName: names.TABLE_NAME, clock: systemClock, random: systemRandom }),
  queue: queueOver(sqs, names.DELIVERY_QUEUE_URL),
  searchQueue: queueOver(sqs, names.SEARCH_QUEUE_URL),
  parking: atFirstUse({ park: true, fetch: true }, async () =>
    (await import('../../shared/providers/parking.ts')).connectParkingLot({ bucket: names.PARKING_BUCKET }),
  ),
  clock: systemClock,
  log: jsonLog,
});
