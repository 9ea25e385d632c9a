import { createHmac } from 'node:crypto';
import type { EndpointAction } from '../people/journal.ts';
import type { Attempt } from '../world/receivers.ts';
import type { Evidence, Invariant } from './invariant.ts';

/** The specification's grace period, and the most that a clock may be wrong. */
const graceMs = 24 * 3_600_000;
const skewMs = 1_000;

/**
 * Returns the signature by the specification: over the received bytes, with the whole secret as the
 * key.
 */
const signed = (secret: string, seconds: string, raw: Uint8Array): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.`).update(raw).digest('hex')}`;

/**
 * Returns the registration and the rotations with a secret that may have been current during an
 * attempt.
 */
const currentOf = (changes: readonly EndpointAction[], { invokedMs, begunMs }: Attempt): readonly EndpointAction[] =>
  changes.filter(
    (one) =>
      one.begunMs <= begunMs &&
      !changes.some((later) => later.outcome === 'done' && later.begunMs > one.endedMs && later.endedMs < invokedMs),
  );

/**
 * Returns the secrets that a rotation may have replaced: those that no earlier rotation replaced
 * for certain.
 */
const replacedBy = (changes: readonly EndpointAction[], rotation: EndpointAction): readonly EndpointAction[] =>
  changes.filter(
    (one) =>
      one !== rotation &&
      one.begunMs <= rotation.endedMs &&
      !changes.some(
        (between) =>
          between !== rotation && between.outcome === 'done' && between.begunMs > one.endedMs && between.endedMs < rotation.begunMs,
      ),
  );

const previousFinding = (changes: readonly EndpointAction[], current: EndpointAction, attempt: Attempt): string | undefined => {
  const { headers, raw, begunMs } = attempt;
  const [header, seconds = ''] = [headers['X-Webhook-Signature-Previous'], headers['X-Webhook-Timestamp']];
  if (current.kind === 'create') return header === undefined ? undefined : 'had a previous signature, and its secret was never rotated';
  if (header === undefined)
    return begunMs + skewMs < current.begunMs + graceMs ? 'had no previous signature within 24 hours of a rotation' : undefined;
  if (begunMs - skewMs > current.endedMs + graceMs) return 'had a previous signature more than 24 hours after the rotation';
  const before = replacedBy(changes, current);
  const isKnown = before.every(({ secret }) => secret !== undefined);
  const isRight = before.some(({ secret }) => secret !== undefined && signed(secret, seconds, raw) === header);
  return isRight || !isKnown ? undefined : 'had a previous signature that the replaced secret did not make';
};

const findingOf = (changes: readonly EndpointAction[], attempt: Attempt): string | undefined => {
  const { headers, raw, begunMs } = attempt;
  const [signature, seconds = ''] = [headers['X-Webhook-Signature'], headers['X-Webhook-Timestamp']];
  const { id } = JSON.parse(attempt.body) as { readonly id: string };
  if (headers['X-Webhook-Id'] !== id || headers['Idempotency-Key'] !== id) return 'named another event in its headers';
  if (headers['User-Agent'] !== 'BakeryCommerce-Webhooks/1.0' || headers['Content-Type'] !== 'application/json')
    return 'had other headers than the specification says';
  if (Math.abs(Number(seconds) * 1000 - begunMs) > 2 * skewMs) return `said that it was signed at ${seconds}, and was sent at ${begunMs}`;
  const possible = currentOf(changes, attempt);
  const current = possible.find(({ secret }) => secret !== undefined && signed(secret, seconds, raw) === signature);
  if (current) return previousFinding(changes, current, attempt);
  return possible.some(({ secret }) => secret === undefined) ? undefined : 'had a signature that no current secret made';
};

export const verified: Invariant = {
  number: 19,
  name: 'every request is signed over its bytes with the current secret, and for 24 hours after a rotation with the one before as well',
  breaches({ journal, region }: Evidence) {
    const actions = journal.endpoints.filter(({ id, outcome }) => id !== undefined && outcome !== 'refused');
    const owners = new Map(actions.flatMap(({ id, url }) => (url === undefined ? [] : [[url, id] as const])));
    const changes = Map.groupBy(
      actions.filter(({ kind }) => kind === 'create' || kind === 'rotate'),
      ({ id }) => id,
    );
    return region.receivers.attempts.flatMap((attempt) => {
      const known = changes.get(owners.get(attempt.url));
      const fault = known && findingOf(known, attempt);
      return fault === undefined ? [] : [`${attempt.event} to ${attempt.url} ${fault}.`];
    });
  },
};
