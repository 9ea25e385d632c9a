import { createHash } from 'node:crypto';
import type { FormerGateway, GatewayKeys } from '../../domain/checkout/former-gateway.ts';
import { type Secrets, UnresolvedSecret } from '../secrets.ts';
import type { StripeKeys } from './stripe-client.ts';

/** Returns a short digest that identifies the keys without revealing them. */
export const nameOfKeys = ({ secret_key }: GatewayKeys): string => createHash('sha256').update(secret_key).digest('base64url').slice(0, 16);

/**
 * Reads the secrets of keys, in their order. Keys that cannot be read are left out, and the first
 * reason is returned beside the others.
 */
export const readStripeKeys = async (
  secrets: Secrets,
  account: string,
  known: readonly (GatewayKeys | FormerGateway)[],
): Promise<{ readonly keys: readonly StripeKeys[]; readonly unresolved: UnresolvedSecret | undefined }> => {
  const read = async (keys: GatewayKeys | FormerGateway): Promise<StripeKeys | UnresolvedSecret> => {
    try {
      const [secretKey, webhookSecret] = await Promise.all([
        secrets.resolve(account, keys.secret_key, 'stripe'),
        secrets.resolve(account, keys.webhook_secret, 'stripe'),
      ]);
      return { secretKey, webhookSecret, name: nameOfKeys(keys), ...('replaced_ms' in keys ? { untilMs: keys.replaced_ms } : {}) };
    } catch (error) {
      if (error instanceof UnresolvedSecret) return error;
      throw error;
    }
  };
  const results = await Promise.all(known.map(read));
  return {
    keys: results.flatMap((one) => (one instanceof UnresolvedSecret ? [] : [one])),
    unresolved: results.find((one) => one instanceof UnresolvedSecret),
  };
};
