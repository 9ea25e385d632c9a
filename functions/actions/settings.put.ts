import { assertFits, maskSecrets, restoreSecrets, settingsSchema } from '../../shared/domain/account/settings.ts';
import { formersAfter } from '../../shared/domain/checkout/former-gateway.ts';
import type { AccountAction } from './action.ts';

export const putSettings: AccountAction<typeof settingsSchema> = {
  summary: 'Replaces the settings; a secret that comes back masked stays; one may be a reference (ssm:stripe/secret_key).',
  account: 'required',
  input: settingsSchema,
  async decide({ store, clock }, input, { id: account }) {
    const { document: stored, formers, revision } = await store.accounts.getStoredSettings(account);
    const settings = restoreSecrets(input, stored);
    assertFits(settings);
    const kept = formersAfter({ before: stored.checkout, after: settings.checkout, formers, nowMs: clock.now() });
    const write = store.accounts.replaceSettingsWrite(account, { document: settings, formers: kept, revision });
    return { result: maskSecrets(settings), writes: [write] };
  },
};
