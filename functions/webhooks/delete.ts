import type * as wire from '../../shared/domain/webhook/wire.ts';
import type { ApiServices } from '../../shared/http/operation.ts';
import { onEndpoint } from './services.ts';

/** A hard delete; what is pending fails when it falls due. */
export const deleteWebhook = (services: ApiServices) =>
  onEndpoint(services, (_call, endpoint) => ({
    body: { deleted: true, id: endpoint.id } satisfies wire.DeletedWebhookEndpoint,
    writes: services.store.endpoints.deleteWrites(endpoint),
  }));
