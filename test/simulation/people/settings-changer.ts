import type { Random } from '../scheduler/random.ts';
import { behold, remember } from './journal.ts';
import { atWork, type Stage } from './person.ts';
import { callAction } from './record-changes.ts';
import { settingsOf } from './storefront.ts';

/** The fields that this person changes, each with the choices that it has. The first one is sold by all shoppers. */
const choices: Readonly<Record<string, readonly unknown[]>> = {
  time_slots: [
    settingsOf(undefined).time_slots,
    { ...settingsOf(undefined).time_slots, pickup: [{ id: 'noon', start: '12:00', end: '13:00' }] },
    { ...settingsOf(undefined).time_slots, pickup: [] },
  ],
  custom_fields: [[], [{ id: 'card', key: 'card', name: 'Card', type: 'text', scopes: ['order'], active: true }]],
  blocked_dates: [[], [{ id: 'feast', date: '2020-12-24', reason: 'Closed' }]],
};

/**
 * The office that changes one setting at a time while carts are open, and looks at all of them. A change of
 * one field leaves the others.
 */
export const changeSettings = async (stage: Stage): Promise<void> => {
  const { region, journal, tenant, number } = stage;
  const { account } = tenant;
  const { scheduler } = region.world;
  const name = `settings-${number}`;
  /** The journal's name of the account's settings. */
  const subject = `set_${account}`;
  const begunMs = scheduler.now();
  remember(journal, { account, subject }, { time_slots: choices['time_slots']?.[0] }, { begunMs, endedMs: begunMs, acknowledged: true });

  const change = async (field: string, value: unknown, token: string, random: Random): Promise<void> => {
    const input = { [field]: value };
    const outcome = await callAction(stage, { name, action: 'settings.update', input, token }, random);
    if (outcome.kind !== 'refused') remember(journal, { account, subject }, input, { ...outcome, acknowledged: outcome.kind === 'done' });
  };
  const look = async (random: Random): Promise<void> => {
    const outcome = await callAction(stage, { name, action: 'settings.get', input: {} }, random);
    if (outcome.kind !== 'done') return;
    behold(journal, subject, Object.fromEntries(Object.keys(choices).map((field) => [field, outcome.result[field]])), outcome);
  };

  await atWork(stage, {
    name,
    actions: 2 + scheduler.stream(name).below(6),
    pauseMs: (random) => random.below(random.chance(0.3) ? 600_000 : 30_000),
    async act(random, action) {
      const fields = Object.keys(choices).filter(() => random.chance(0.5));
      await Promise.all(
        fields.map((field) => {
          const own = scheduler.stream(`${name}-${action} changes ${field}`);
          return change(field, own.pick(choices[field] ?? []), `${name}-${action}-${field}`, own);
        }),
      );
      await look(random);
      // Shoppers of the other people choose from the first slots.
      if (random.chance(0.7)) await change('time_slots', choices['time_slots']?.[0], `${name}-${action}-back`, random);
      await look(random);
    },
  });
};
