import { selectableScopes } from '../../../shared/core/scopes.ts';
import type { Random } from '../scheduler/random.ts';
import { send } from './integrator.ts';
import { remember } from './journal.ts';
import { atWork, type Stage } from './person.ts';
import { callAction, changeRecord } from './record-changes.ts';

const paths = ['/expenses', '/orders', '/customers', '/products', '/webhooks'];

const weekSeconds = 7 * 86_400;

/**
 * Returns an expiry for some keys: so soon that they are used before and after it, within a week, or
 * just over a week ahead, so that it is announced while people act.
 */
const someExpiry = (nowMs: number, random: Random): number | null => {
  const when = random.weighted({
    soon: 4,
    near: 1,
    ahead: 2,
    never: 3,
  });
  const ahead = { soon: 2 + random.below(90), near: random.below(weekSeconds), ahead: weekSeconds + random.below(7_200), never: undefined }[
    when
  ];
  return ahead === undefined ? null : Math.floor(nowMs / 1000 + ahead) * 1000;
};
const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** A merchant who creates, restricts and revokes keys while programs use them. */
export const keepKeys = async (stage: Stage): Promise<void> => {
  const { region, journal, tenant, number } = stage;
  const { account } = tenant;
  const { scheduler } = region.world;
  const name = `keys-${number}`;
  const mine: { readonly id: string; readonly value: string }[] = [];

  const someScopes = (random: Random) => selectableScopes.filter(() => random.chance(0.6));
  const use = async (random: Random): Promise<void> => {
    if (mine.length === 0) return;
    const { value } = random.pick(mine);
    const path = random.pick(paths);
    const { response } = await send(region, journal, { method: 'GET', path, key: value });
    scheduler.note(name, `GET ${path} with …${value.slice(-4)}: ${response?.status ?? 'no answer'}`);
  };
  const change = async (action: string, fields: Readonly<Record<string, unknown>>, input: object, by: string, random: Random) => {
    if (mine.length === 0) return;
    const { id } = random.pick(mine);
    await changeRecord(stage, { name, action, subject: id, fields, input: { id, ...input }, token: `token-${by}` }, random);
  };
  const actions: Readonly<Record<string, (by: string, random: Random) => Promise<void>>> = {
    async hand(by, random) {
      const scopes = someScopes(random);
      const expires = someExpiry(scheduler.now(), random);
      const outcome = await callAction(
        stage,
        {
          name,
          action: 'key.create',
          input: { type: 'secret', name: `Key ${by}`, scopes, expires_at: isoOf(expires) },
          token: `token-${by}`,
        },
        random,
      );
      if (outcome.kind !== 'done') return;
      const { id, key: value } = outcome.result as { readonly id: string; readonly key: string };
      remember(
        journal,
        { account, subject: id },
        { scopes, revoked: false, expires, name: `Key ${by}` },
        { ...outcome, acknowledged: true },
      );
      journal.keys.set(value, { id, account });
      mine.push({ id, value });
    },
    restrict: async (by, random) => {
      const scopes = someScopes(random);
      await change('key.update', { scopes }, { scopes }, by, random);
    },
    async extend(by, random) {
      const expires = someExpiry(scheduler.now(), random);
      await change('key.update', { expires }, { expires_at: isoOf(expires) }, by, random);
    },
    rename: (by, random) => change('key.update', { name: `Name ${by}` }, { name: `Name ${by}` }, by, random),
    revoke: (by, random) => change('key.revoke', { revoked: true }, {}, by, random),
  };

  await atWork(stage, {
    name,
    actions: 5 + scheduler.stream(name).below(4),
    pauseMs: (random) => (random.chance(0.1) ? random.below(900_000) : random.below(6_000)),
    async act(random, action) {
      const what = mine.length === 0 ? 'hand' : random.weighted<string>({ hand: 3, restrict: 3, rename: 1, extend: 2, revoke: 2 });
      const using = use(random);
      await Promise.all([using, actions[what]?.(`${name}-${action}`, random)]);
      await use(random);
    },
  });
};
