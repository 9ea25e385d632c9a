import { requireEnv } from '../../shared/core/config.ts';
import { atFirstUse } from '../../shared/core/promises.ts';
import { connectSqs, queueOver } from '../../shared/providers/queue.ts';
import { deployedServices } from '../../shared/services.ts';
import { openStore } from '../../shared/table/store.ts';
import { fanOut } from './app.ts';

const env = requireEnv(process.env, ['DELIVERY_QUEUE_URL', 'SEARCH_QUEUE_URL', 'PARKING_BUCKET']);
const sqs = connectSqs();

export const handler = fanOut({
  ...deployedServices(openStore),
  queue: queueOver(sqs, env.DELIVERY_QUEUE_URL),
  searchQueue: queueOver(sqs, env.SEARCH_QUEUE_URL),
  parking: atFirstUse({ park: true, fetch: true }, async () =>
    (await import('../../shared/providers/parking.ts')).connectParkingLot({ bucket: env.PARKING_BUCKET }),
  ),
});
