import type { ApiServices } from '../../shared/http/operation.ts';
import { onEndpoint } from './services.ts';
import { endpointView } from './view.ts';

export const retrieveWebhook = (services: ApiServices) => onEndpoint(services, (_call, endpoint) => ({ body: endpointView(endpoint) }));
