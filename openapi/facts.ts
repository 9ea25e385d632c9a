import type { Route } from '../shared/core/routes.ts';
import { rateRules, webhookTestRule } from '../shared/http/rate-limits.ts';
import type { JsonSchema } from './json-schema.ts';

/** What follows from a row of the route table. */

/** A POST without a documented body takes an absent one, and reads one that is sent (decisions §3). */
export const takesBody = ({ body, method }: Route): boolean => body !== undefined || method === 'POST';

export const mayBeKept = (route: Route): route is Route & { readonly cacheControl: string } =>
  route.cacheControl !== undefined && route.cacheControl !== 'no-store';

const limitOf = ({ name, limit }: { readonly name: string; readonly limit: number }, per: string): JsonSchema => ({
  rule: name,
  limit,
  seconds: 60,
  per,
});

/** The buckets a request to the operation draws from, in the order they are judged. */
export const rateLimitsOf = ({ keys, method, operation }: Route): readonly JsonSchema[] => [
  ...(keys === 'any' ? [limitOf(rateRules.publicIp, 'address')] : []),
  limitOf(method === 'GET' ? rateRules.read : rateRules.write, 'key'),
  // Its refusals name no rule.
  ...(operation === 'testWebhook' ? [{ limit: webhookTestRule.limit, seconds: 60, per: 'account' }] : []),
];
