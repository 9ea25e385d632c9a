import { record, requiredText } from '../../shared/core/fields.ts';
import { rotated } from '../../shared/domain/webhook/rules.ts';
import { rotatedSecretView } from '../../shared/domain/webhook/view.ts';
import { newSecret } from '../../shared/webhooks/signing.ts';
import type { AccountAction } from './action.ts';
import { endpointOf } from './endpoints.ts';

const input = record({ id: requiredText() });

export const rotateSecret: AccountAction<typeof input> = {
  summary: 'Gives a webhook endpoint a new secret, shown here only; the old one signs too for 24 hours.',
  account: 'required',
  input,
  async decide(services, { id }, account) {
    const endpoint = await endpointOf(services, account.id, id);
    const changes = rotated(endpoint, newSecret(services.random), services.clock.now());
    return { result: rotatedSecretView(id, changes), writes: services.store.endpoints.updateWrites(endpoint, changes) };
  },
};
