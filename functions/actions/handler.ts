import { systemClock } from '../../shared/core/clock.ts';
import { environment, requireEnv, requireRegion } from '../../shared/core/config.ts';
import { randomId } from '../../shared/core/ids.ts';
import { jsonLog } from '../../shared/core/log.ts';
import { awsEnvironment } from '../../shared/providers/aws-environment.ts';
import { connectReplay, fanOutNameBeside } from '../../shared/providers/fan-out.ts';
import { connectParkingLot } from '../../shared/providers/parking.ts';
import { connectQueue } from '../../shared/providers/queue.ts';
import { connectStore } from '../../shared/table/store.ts';
import { actions } from './app.ts';

const names = requireEnv(process.env, [environment.table, environment.deliveryQueueUrl, environment.parkingBucket]);

export const handler = actions({
  region: requireRegion(process.env),
  store: connectStore({ tableName: names.TABLE_NAME, clock: systemClock }),
  queue: connectQueue({ queueUrl: names.DELIVERY_QUEUE_URL }),
  parking: connectParkingLot({ bucket: names.PARKING_BUCKET, ...awsEnvironment(process.env, 'S3') }),
  replay: connectReplay({ functionName: fanOutNameBeside(process.env['AWS_LAMBDA_FUNCTION_NAME'] ?? '') }),
  clock: systemClock,
  newId: randomId,
  log: jsonLog,
});
