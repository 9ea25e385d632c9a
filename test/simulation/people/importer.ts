import { attempt } from './integrator.ts';
import type { Intent } from './journal.ts';
import { register } from './merchant.ts';
import type { Stage } from './person.ts';

const perThousand = 150;
const endpoints = 4;
const expenses = 12;
/** Keeps both invocations of `deliver` busy for longer than another account may wait. */
const manyExpenses = 60;

/**
 * In some scenarios a tenant imports its books at once, and all its endpoints respond after half a
 * minute.
 */
export const importBooks = async (stage: Stage): Promise<void> => {
  const { journal, tenant, number } = stage;
  const { scheduler } = stage.region.world;
  const name = `import-${number}`;
  const random = scheduler.stream(name);
  if (!random.chance(perThousand / 1000)) return;
  await scheduler.sleep(random.below(1_800_000));
  for (let i = 0; i < endpoints; i++)
    await register(stage, name, scheduler.stream(`${name}/endpoint ${i}`), random.pick(['slow', 'hanging']));
  const count = scheduler.stream(`${name}/size`).chance(0.4) ? manyExpenses : expenses;
  for (let i = 0; i < count; i++) {
    const id = `${name}/${i}`;
    if (journal.leftOut.has(id)) continue;
    journal.actions.push(id);
    const body = { amount: 1 + i, date: '2026-03-05', category: 'ingredients', description: `${name}-${i}` };
    const intent: Intent = { kind: 'expense', account: tenant.account, marker: `${name}-${i}`, idempotencyKey: undefined, body, tries: [] };
    journal.intents.push(intent);
    await attempt(stage, name, intent);
  }
};
