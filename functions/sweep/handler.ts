import { hasNotices, requireEnv, requireRegion } from '../../shared/core/config.ts';
import { atFirstUse } from '../../shared/core/promises.ts';
import { deployedServices } from '../../shared/services.ts';
import { openCheckoutSessions } from '../../shared/table/checkout-sessions.ts';
import { openWebhookStore } from '../../shared/table/store.ts';
import { createSender } from '../../shared/webhooks/sender.ts';
import { sweep } from './app.ts';

const { DELIVERY_QUEUE_URL: queueUrl, PUBLIC_URL: publicUrl } = requireEnv(process.env, ['DELIVERY_QUEUE_URL', 'PUBLIC_URL']);

const dashboard = atFirstUse({ startAction: true }, async () => {
  const { connectActions, nameBeside } = await import('../../shared/providers/siblings.ts');
  return { startAction: connectActions({ functionName: nameBeside(process.env['AWS_LAMBDA_FUNCTION_NAME'] ?? '', 'actions') }) };
});

const services = deployedServices((db) => ({ ...openWebhookStore(db), checkoutSessions: openCheckoutSessions(db) }));
const region = requireRegion(process.env);

export const handler = sweep({
  ...services,
  startAction: dashboard.startAction,
  sender: createSender(services),
  publicUrl,
  region,
  queue: atFirstUse({ send: true }, async () => (await import('../../shared/providers/queue.ts')).connectQueue({ queueUrl })),
  ...(hasNotices(process.env) && {
    noticeBus: atFirstUse({ publish: true }, async () =>
      (await import('../../shared/providers/notice-bus.ts')).connectNoticeBus({ region }),
    ),
  }),
});
