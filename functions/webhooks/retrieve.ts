import { endpointView } from '../../shared/domain/webhook/view.ts';
import type { ApiServices } from '../../shared/http/operation.ts';
import { onEndpoint } from './services.ts';

export const retrieveWebhook = (services: ApiServices) => onEndpoint(services, (_call, endpoint) => ({ body: endpointView(endpoint) }));
