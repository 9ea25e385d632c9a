import { record } from '../../shared/core/fields.ts';
import { assertFits, maskSecrets, restoreSecrets, settingsSchema } from '../../shared/domain/account/settings.ts';
import { formersAfter } from '../../shared/domain/checkout/former-gateway.ts';
import { onAccount } from './action.ts';

export const settings = {
  get: onAccount({
    summary: 'Shows the settings, search keys and gateway secrets masked.',
    input: record({}),
    read: async ({ store }, _input, account) => maskSecrets(await store.accounts.getSettings(account.id)),
  }),
  put: onAccount({
    summary: 'Replaces the settings. A masked secret stays as stored. A secret may be a reference (ssm:stripe/…, ssm:search/…).',
    input: settingsSchema,
    async decide({ store, clock }, input, { id: account }) {
      const { document: stored, formers, revision } = await store.accounts.getStoredSettings(account);
      const document = restoreSecrets(input, stored);
      assertFits(document);
      const kept = formersAfter({ before: stored.checkout, after: document.checkout, formers, nowMs: clock.now() });
      const write = store.accounts.replaceSettingsWrite(account, { document, formers: kept, revision });
      return { result: maskSecrets(document), writes: [write] };
    },
  }),
};
