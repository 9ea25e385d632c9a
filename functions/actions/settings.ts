import { ApiError } from '../../shared/core/errors.ts';
import { record } from '../../shared/core/fields.ts';
import {
  assertFits,
  changeSettings,
  maskSecrets,
  restoreSecrets,
  type Settings,
  settingsChanges,
  settingsSchema,
} from '../../shared/domain/account/settings.ts';
import { checkSent, checkWhole } from '../../shared/domain/account/settings-rules.ts';
import { formersAfter, gatewayKeysOf, hasSandbox } from '../../shared/domain/checkout/former-gateway.ts';
import { assertAvailabilityFits } from '../../shared/domain/reference/availability-size.ts';
import { readStripeKeys } from '../../shared/providers/payment-gateways/keys.ts';
import type { GatewayCheck } from '../../shared/providers/payment-gateways/stripe-check.ts';
import { type ActionServices, onAccount } from './action.ts';

/** Replaces the settings by the document that `change` makes of the stored ones. */
const replaceSettings = async ({ store, clock }: ActionServices, account: string, change: (stored: Settings) => Settings) => {
  const { document: stored, formers, revision } = await store.accounts.getStoredSettings(account);
  const document = change(stored);
  assertFits(document);
  // A setting that was not sent is not checked.
  if (document.time_slots !== stored.time_slots) assertAvailabilityFits(document);
  const remainingFormers = formersAfter({ before: stored.checkout, after: document.checkout, formers, nowMs: clock.now() });
  const write = store.accounts.replaceSettingsWrite(account, { document, formers: remainingFormers, revision });
  return { result: maskSecrets(document), writes: [write] };
};

export const settings = {
  get: onAccount({
    summary: 'Shows the settings. Search keys and gateway secrets are masked.',
    input: record({}),
    read: async ({ store }, _input, account) => maskSecrets(await store.accounts.getSettings(account.id)),
  }),
  update: onAccount({
    summary: 'Replaces each top-level setting that you send; null removes it. Other settings stay. A masked secret keeps its stored value.',
    input: settingsChanges,
    decide: async (services, sent, { id: account }) =>
      replaceSettings(services, account, (stored) => {
        const restored = restoreSecrets(sent, stored);
        checkSent(restored, stored);
        return changeSettings(stored, restored);
      }),
  }),
  put: onAccount({
    summary:
      'Warning: deletes each setting that you leave out; settings.update keeps them. Replaces all settings. A masked secret keeps its stored value.',
    input: settingsSchema,
    decide: async (services, document, { id: account }) =>
      replaceSettings(services, account, (stored) => {
        const restored = restoreSecrets(document, stored);
        checkSent(restored, stored);
        checkWhole(restored, stored);
        return restored;
      }),
  }),
};

const missingKeys: GatewayCheck = {
  name: 'key',
  ok: false,
  problem: 'The settings need checkout.secret_key and checkout.webhook_secret.',
};

const checkResult = (gateway: 'sandbox' | 'stripe', checks: readonly GatewayCheck[]) => ({
  gateway,
  ok: checks.every(({ ok }) => ok),
  checks,
});

export const checkout = {
  check: onAccount({
    summary: "Checks the payment gateway's key, account and notices. Takes no money.",
    input: record({}),
    async read({ store, secrets, stripeApi }, _input, { id: account }) {
      const { checkout: settings } = await store.accounts.getSettings(account);
      // The sandbox needs no keys and takes no money.
      if (hasSandbox(settings)) return checkResult('sandbox', []);
      const known = gatewayKeysOf(settings);
      if (!known) return checkResult('stripe', [missingKeys]);
      const {
        keys: [keys],
        unresolved,
      } = await readStripeKeys(secrets, account, [known]);
      if (!keys) return checkResult('stripe', [{ name: 'key', ok: false, problem: `A secret cannot be read: ${unresolved?.message}` }]);
      // Loaded only here, because it is more code than all actions together.
      const { checkStripe } = await import('../../shared/providers/payment-gateways/stripe-check.ts');
      try {
        return checkResult('stripe', await checkStripe(keys, `/checkout/${account}/notices/stripe`, stripeApi));
      } catch (cause) {
        throw new ApiError('request_in_flight', 'Stripe did not respond. Repeat the call.', { cause });
      }
    },
  }),
};
