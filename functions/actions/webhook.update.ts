import { record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { endpointEdits } from '../../shared/domain/webhook/input.ts';
import { endpointView } from '../../shared/domain/webhook/view.ts';
import { assertUrl } from '../../shared/webhooks/url-rules.ts';
import type { AccountAction } from './action.ts';
import { endpointOf } from './endpoints.ts';

const input = record({ id: requiredText(), ...endpointEdits });

export const updateEndpoint: AccountAction<typeof input> = {
  summary: 'Changes the URL, events or description of a webhook endpoint.',
  account: 'required',
  input,
  async decide(services, { id, url, events, description }, account) {
    const { store, clock, policy } = services;
    if (url !== undefined) assertUrl(url, policy);
    const endpoint = await endpointOf(services, account.id, id);
    const changes = {
      ...(url === undefined ? {} : { url }),
      ...(events === undefined ? {} : { events }),
      ...(description === undefined ? {} : { description }),
    };
    if (Object.keys(changes).length === 0) return { result: endpointView(endpoint), writes: [] };
    const complete = { ...changes, updated_at: isoFromMs(clock.now()) };
    return { result: endpointView({ ...endpoint, ...complete }), writes: store.endpoints.updateWrites(endpoint, complete) };
  },
};
