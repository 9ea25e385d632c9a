import Stripe from 'stripe';
import { noticeTypes } from './stripe.ts';
import { openClients, type StripeApi, type StripeKeys } from './stripe-client.ts';

/** The result of a check. `problem` says what to do; null if all is well. */
export interface GatewayCheck {
  readonly name: 'key' | 'account' | 'notices';
  readonly ok: boolean;
  readonly problem: string | null;
}

const gatewayCheck = (name: GatewayCheck['name'], problem: string | null): GatewayCheck => ({ name, ok: problem === null, problem });

/** Returns what Stripe says against a request with the key. Throws if it does not answer. */
const keyProblem = (error: unknown): string => {
  if (error instanceof Stripe.errors.StripePermissionError)
    return 'The key may not read this. Give the restricted key the permission to read it.';
  if (error instanceof Stripe.errors.StripeAuthenticationError)
    return 'Stripe does not accept the secret key. Copy it again from the API keys in Stripe.';
  throw error;
};

/** Asks, and judges the answer. A key without the permission is a problem and no error. */
const findProblem = async <Resource>(
  ask: () => Promise<Resource>,
  judge: (resource: Resource) => string | null,
): Promise<string | null> => {
  try {
    return judge(await ask());
  } catch (error) {
    return keyProblem(error);
  }
};

const accountProblem = ({ charges_enabled }: Stripe.Account): string | null =>
  charges_enabled ? null : 'The account cannot take payments yet. Complete its activation in Stripe.';

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : '');

const noticesProblem = (endpoints: readonly Stripe.WebhookEndpoint[], path: string): string | null => {
  const own = endpoints.filter(({ url }) => pathOf(url) === path);
  if (own.length === 0) return `No webhook endpoint of Stripe leads to ${path}. Add one at the URL of this region.`;
  const enabled = own.filter(({ status }) => status === 'enabled');
  if (enabled.length === 0) return 'The webhook endpoint is disabled. Enable it in Stripe.';
  const sent = new Set(enabled.flatMap(({ enabled_events }) => enabled_events));
  const missing = sent.has('*') ? [] : noticeTypes.filter((type) => !sent.has(type));
  return missing.length === 0 ? null : `The webhook endpoint does not get ${missing.join(', ')}. Add these events to it.`;
};

/**
 * Asks Stripe whether payments would work: with this key, on this account, and with notices sent to
 * the path. Throws if Stripe does not answer.
 */
export const checkStripe = async (keys: StripeKeys, path: string, api?: StripeApi): Promise<readonly GatewayCheck[]> => {
  const stripe = openClients(api)(keys);
  try {
    // Stripe knows the key if it answers, also if the key lacks this right.
    await stripe.balance.retrieve();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripePermissionError)) return [gatewayCheck('key', keyProblem(error))];
  }
  const secret = keys.webhookSecret.startsWith('whsec_')
    ? null
    : 'The webhook secret must begin with whsec_. Copy it from the webhook endpoint in Stripe.';
  const [account, notices] = await Promise.all([
    findProblem(() => stripe.accounts.retrieveCurrent(), accountProblem),
    findProblem(
      () => stripe.webhookEndpoints.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 }),
      (endpoints) => noticesProblem(endpoints, path),
    ),
  ]);
  return [gatewayCheck('key', null), gatewayCheck('account', account), gatewayCheck('notices', notices ?? secret)];
};
