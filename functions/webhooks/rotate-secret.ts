import { rotated } from '../../shared/domain/webhook/rules.ts';
import { rotatedSecretView } from '../../shared/domain/webhook/view.ts';
import type { ApiServices } from '../../shared/http/operation.ts';
import { newSecret } from '../../shared/webhooks/signing.ts';
import { onEndpoint } from './services.ts';

export const rotateWebhookSecret = (services: ApiServices) =>
  onEndpoint(services, ({ nowMs }, endpoint) => {
    const changes = rotated(endpoint, newSecret(services.random), nowMs);
    return { body: rotatedSecretView(endpoint.id, changes), writes: services.store.endpoints.updateWrites(endpoint, changes) };
  });
