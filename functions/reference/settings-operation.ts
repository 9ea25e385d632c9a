import type { Settings } from '../../shared/domain/account/settings.ts';
import type { ApiServices, Call, Operation } from '../../shared/http/operation.ts';

/** What a shopper may see; only a secret key gets the merchant's view (§ Key-type dependent content). */
export const isMerchant = ({ key }: Pick<Call, 'key'>): boolean => key.type === 'secret';

/** An operation that answers from the account's settings alone. */
export const fromSettings = <Query>(
  { store }: ApiServices,
  answer: (settings: Settings, call: Call<Query>) => unknown,
): Operation<Query, unknown, Settings> => ({
  read: ({ account }) => store.accounts.getSettings(account),
  decide: (call, settings) => ({ body: answer(settings, call) }),
});
