import { requireEnv } from '../../shared/core/config.ts';
import { atFirstUse } from '../../shared/core/promises.ts';
import { connectSecrets } from '../../shared/providers/secrets.ts';
import { deployedApiServices } from '../../shared/services.ts';
import { openStore } from '../../shared/table/store.ts';
import { createSender } from '../../shared/webhooks/sender.ts';
import { actions } from './app.ts';

const env = requireEnv(process.env, [
  'DELIVERY_QUEUE_URL',
  'DELIVERY_DEAD_LETTERS_URL',
  'SEARCH_QUEUE_URL',
  'SEARCH_DEAD_LETTERS_URL',
  'SWEEP_FAILURES_URL',
  'PARKING_NOTICES_URL',
  'API_LOG_GROUP',
  'PARKING_BUCKET',
  'SECRETS_PREFIX',
]);
const services = deployedApiServices(openStore);
// Opens this client at its first use, because most actions use only DynamoDB.
const operatedQueue = (queueUrl: string) =>
  atFirstUse({ send: true, depth: true, receive: true, remove: true, release: true }, async () =>
    (await import('../../shared/providers/operated-queue.ts')).connectOperatedQueue({ queueUrl }),
  );
const delivery = operatedQueue(env.DELIVERY_QUEUE_URL);
const fanOut = atFirstUse({ replay: true }, async () => {
  const { connectReplay, nameBeside } = await import('../../shared/providers/siblings.ts');
  return { replay: connectReplay({ functionName: nameBeside(process.env['AWS_LAMBDA_FUNCTION_NAME'] ?? '', 'fan-out') }) };
});

export const handler = actions({
  ...services,
  sender: createSender(services),
  secrets: connectSecrets({ ...services, prefix: env.SECRETS_PREFIX }),
  queue: delivery,
  queues: {
    delivery,
    'delivery-dead-letters': operatedQueue(env.DELIVERY_DEAD_LETTERS_URL),
    search: operatedQueue(env.SEARCH_QUEUE_URL),
    'search-dead-letters': operatedQueue(env.SEARCH_DEAD_LETTERS_URL),
    'sweep-failures': operatedQueue(env.SWEEP_FAILURES_URL),
    'parking-notices': operatedQueue(env.PARKING_NOTICES_URL),
  },
  parking: atFirstUse({ park: true, fetch: true }, async () =>
    (await import('../../shared/providers/parking.ts')).connectParkingLot({ bucket: env.PARKING_BUCKET }),
  ),
  requestLog: atFirstUse({ search: true }, async () =>
    (await import('../../shared/providers/request-log.ts')).connectRequestLog({ logGroup: env.API_LOG_GROUP, clock: services.clock }),
  ),
  replay: fanOut.replay,
});
