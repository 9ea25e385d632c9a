import { systemClock } from '../../shared/core/clock.ts';
import { environment, requireEnv } from '../../shared/core/config.ts';
import { jsonLog } from '../../shared/core/log.ts';
import { systemRandom } from '../../shared/core/random.ts';
import { connectParkingLot } from '../../shared/providers/parking.ts';
import { connectQueue } from '../../shared/providers/queue.ts';
import { connectStore } from '../../shared/table/store.ts';
import { fanOut } from './app.ts';

const names = requireEnv(process.env, [
  environment.table,
  environment.deliveryQueueUrl,
  environment.searchQueueUrl,
  environment.parkingBucket,
]);

export const handler = fanOut({
  store: connectStore({ tableName: names.TABLE_NAME, clock: systemClock, random: systemRandom }),
  queue: connectQueue({ queueUrl: names.DELIVERY_QUEUE_URL }),
  searchQueue: connectQueue({ queueUrl: names.SEARCH_QUEUE_URL }),
  parking: connectParkingLot({ bucket: names.PARKING_BUCKET }),
  clock: systemClock,
  log: jsonLog,
});
