import { endpointInput } from '../../shared/domain/webhook/input.ts';
import { newEndpoint } from '../../shared/domain/webhook/rules.ts';
import { endpointView } from '../../shared/domain/webhook/view.ts';
import { newSecret } from '../../shared/webhooks/signing.ts';
import { assertUrl } from '../../shared/webhooks/url-rules.ts';
import type { AccountAction } from './action.ts';

export const createEndpoint: AccountAction<typeof endpointInput> = {
  summary: 'Registers a webhook endpoint and shows its secret, this once.',
  account: 'required',
  input: endpointInput,
  async decide({ store, clock, random, newId, policy }, body, account) {
    assertUrl(body.url, policy);
    const nowMs = clock.now();
    const endpoint = newEndpoint({ id: newId('whe', nowMs), account, secret: newSecret(random) }, body, nowMs);
    return { result: { ...endpointView(endpoint), secret: endpoint.secret }, writes: store.endpoints.createWrites(endpoint) };
  },
};
