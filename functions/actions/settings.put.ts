import { assertFits, maskSecrets, restoreSecrets, type Settings, settingsSchema } from '../../shared/domain/settings.ts';
import type { AccountAction } from './action.ts';

export const putSettings: AccountAction<typeof settingsSchema> = {
  summary: 'Replaces the settings; a secret that comes back masked stays; one may be a reference (ssm:stripe/secret_key).',
  account: 'required',
  input: settingsSchema,
  async decide({ store }, document, account) {
    const settings = restoreSecrets(document, (await store.accounts.getSettings(account.id)) as Settings);
    assertFits(settings);
    return { result: maskSecrets(settings), writes: [store.accounts.putSettingsWrite(account.id, settings)] };
  },
};
