import { assertUsable, type KeyOwners, presentedKey, requireAccount } from '../auth/authenticate.ts';
import type { Route } from '../core/routes.ts';
import type { Operation } from '../operations/operation.ts';
import type { BucketState } from '../table/buckets.ts';
import { callerAddress } from './caller-address.ts';
import type { ApiServices, Call, ReceivedRequest } from './exchange.ts';
import { awaitFacts, type Fact, factOf, type Middleware, type PendingFacts } from './facts.ts';
import { type RateRule, rateRuleOf, rateRules } from './rate-limits.ts';
import { type Caller, parseRequest } from './request.ts';

/**
 * Reads the facts of a request before its checks (docs/decisions/0022):
 *
 * 1. `identify` counts the request in the bucket of its address and finds the caller. The function
 *    remembers the owner of a key that it has seen. It reads and checks any other key first.
 * 2. `readFacts` counts the request in the bucket of the key. It reads account, stored response and
 *    the operation's records. A key that the function has seen is read in the same call.
 *
 * It rejects nothing: the checks that follow take the facts in their order. If it sees that a check
 * will reject the request, it reads nothing that only later checks take. It waits for every read,
 * because Lambda freezes a function that has responded.
 */
export const loadFacts = (services: ApiServices, target: Target): Middleware => ({
  async before({ event }) {
    const { caller, facts } = await identify(services, target, event);
    event.facts = await awaitFacts(caller ? { ...facts, ...(await readFacts(services, target, event, caller)) } : facts);
  },
});

/** A route, its operation, and the owners of the keys that this function has seen. */
interface Target {
  readonly route: Route;
  readonly operation: Operation<Call>;
  readonly owners: KeyOwners;
}

/** Facts from which the caller was found. Without a caller, one of them rejects the request. */
interface Identity {
  readonly caller?: Caller;
  readonly facts: Pick<PendingFacts, 'addressBucket' | 'key'>;
}

const identify = async ({ region, store }: ApiServices, { route, owners }: Target, received: ReceivedRequest): Promise<Identity> => {
  const { authorization, host } = received.headers;
  const { isNear, bucket: addressBucket } = route.keys === 'any' ? countIn(store, rateRules.publicIp, callerAddress(received)) : {};
  const presented = await factOf(() => presentedKey({ authorization, host, region }));
  if (presented.status === 'rejected') return { facts: { addressBucket, key: presented } };
  const { hash, type } = presented.value;
  const owner = owners.find(hash);
  // If the address is near its limit, it is checked first. Otherwise requests above that limit
  // could use up the rate limit of a publishable key, which everyone can read.
  if (owner && isNear && !isAllowed(await addressBucket)) return { facts: { addressBucket } };
  const key = factOf(async () => {
    const stored = assertUsable(await store.apiKeys.findByHash(hash), presented.value, received.nowMs);
    owners.remember(hash, { id: stored.id, account: stored.account });
    return stored;
  });
  const facts = { addressBucket, key };
  if (owner) return { caller: { ...owner, type }, facts };
  // A key that is new to the function is checked before its bucket counts the request.
  const [bucket, stored] = await Promise.all([addressBucket, key]);
  return stored.status === 'fulfilled' && (!bucket || isAllowed(bucket)) ? { caller: stored.value, facts } : { facts };
};

const readFacts = async (
  { store, random }: ApiServices,
  { route, operation }: Target,
  received: ReceivedRequest,
  caller: Caller,
): Promise<PendingFacts> => {
  const { isNear, bucket: keyBucket } = countIn(store, rateRuleOf(route), caller.id);
  // A bucket that may reject the request is counted first. Other buckets are counted during the reads.
  if (isNear && !isAllowed(await keyBucket)) return { keyBucket };
  const account = factOf(async () => requireAccount(await store.accounts.get(caller.account)));
  if (route.keys === 'secret' && caller.type === 'publishable') return { keyBucket, account };
  const parsed = await factOf(() => parseRequest(received, route, caller, random));
  if (parsed.status === 'rejected') return { keyBucket, account, parsed };
  const { call, idempotent } = parsed.value;
  const storedResponse = factOf(() => idempotent && store.idempotency.find(call.account, idempotent));
  const data = factOf(() => operation.read?.(call));
  return { keyBucket, account, parsed, storedResponse, data };
};

/** Counts the request in a bucket. `isNear`: the bucket may reject it. */
const countIn = ({ buckets }: ApiServices['store'], { name, limit }: RateRule, subject: string) => {
  const isNear = buckets.mayReject(name, subject, limit);
  return { isNear, bucket: factOf(() => buckets.take(name, subject, limit)) };
};

const isAllowed = (bucket: Fact<BucketState> | undefined): boolean => bucket?.status === 'fulfilled' && bucket.value.allowed;
