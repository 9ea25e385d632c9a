import { ApiError } from '../../shared/core/errors.ts';
import { record } from '../../shared/core/fields.ts';
import { assertFits, maskSecrets, restoreSecrets, settingsSchema } from '../../shared/domain/account/settings.ts';
import { formersAfter, gatewayKeysOf, hasSandbox } from '../../shared/domain/checkout/former-gateway.ts';
import { assertAvailabilityFits } from '../../shared/domain/reference/availability-size.ts';
import { readStripeKeys } from '../../shared/providers/payment-gateways/keys.ts';
import type { GatewayCheck } from '../../shared/providers/payment-gateways/stripe-check.ts';
import { onAccount } from './action.ts';

export const settings = {
  get: onAccount({
    summary: 'Shows the settings. Search keys and gateway secrets are masked.',
    input: record({}),
    read: async ({ store }, _input, account) => maskSecrets(await store.accounts.getSettings(account.id)),
  }),
  put: onAccount({
    summary: 'Replaces all settings. Deletes each setting that you leave out. A masked secret keeps its stored value.',
    input: settingsSchema,
    async decide({ store, clock }, input, { id: account }) {
      const { document: stored, formers, revision } = await store.accounts.getStoredSettings(account);
      const document = restoreSecrets(input, stored);
      assertFits(document);
      assertAvailabilityFits(document);
      const kept = formersAfter({ before: stored.checkout, after: document.checkout, formers, nowMs: clock.now() });
      const write = store.accounts.replaceSettingsWrite(account, { document, formers: kept, revision });
      return { result: maskSecrets(document), writes: [write] };
    },
  }),
};

const missingKeys: GatewayCheck = {
  name: 'key',
  ok: false,
  problem: 'The settings need checkout.secret_key and checkout.webhook_secret.',
};

const resultOf = (gateway: 'sandbox' | 'stripe', checks: readonly GatewayCheck[]) => ({
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
      if (hasSandbox(settings)) return resultOf('sandbox', []);
      const known = gatewayKeysOf(settings);
      if (!known) return resultOf('stripe', [missingKeys]);
      const {
        keys: [keys],
        unresolved,
      } = await readStripeKeys(secrets, account, [known]);
      if (!keys) return resultOf('stripe', [{ name: 'key', ok: false, problem: `A secret cannot be read: ${unresolved?.message}` }]);
      // Loaded only here, because it is more code than all actions together.
      const { checkStripe } = await import('../../shared/providers/payment-gateways/stripe-check.ts');
      try {
        return resultOf('stripe', await checkStripe(keys, `/checkout/${account}/notices/stripe`, stripeApi));
      } catch (cause) {
        throw new ApiError('request_in_flight', 'Stripe did not respond. Repeat the call.', { cause });
      }
    },
  }),
};
