import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { actionTable } from '../../functions/actions/index.ts';
import { routeKey } from '../../shared/core/routes.ts';
import { type Dashboard, startDashboard } from '../actions/dashboard.ts';
import { readyCalls } from '../actions/every-action.ts';
import { freeTextsOf, samples, withText } from '../contract/inputs.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { createTenant, send } from '../support/requests.ts';
import { allRoutes, startWorld, type World } from '../support/world.ts';
import { longest } from './texts.ts';

const texts = [longest(255), '#~%00', '__proto__', '\uffff\u2028x', '<b>x</b>', ' '];

describe('whatever text a field of an action is, its answer is a success, a 4xx, or a 400 with a field', () => {
  let dashboard: Dashboard;
  let receiver: Receiver;
  beforeAll(async () => {
    [dashboard, receiver] = await Promise.all([startDashboard(), startReceiver()]);
  });
  afterAll(() => Promise.all([dashboard.stop(), receiver.stop()]));

  test.each(Object.keys(readyCalls))('%s', async (action) => {
    const { account, input } = (await readyCalls[action]?.({ dashboard, receiver })) ?? { input: {} };
    for (const field of freeTextsOf(actionTable[action]?.input, input))
      for (const text of texts) {
        const answer = await dashboard.call({ action, account, input: withText(input, field, text) });
        if (answer.ok) continue;
        expect([field, text, answer.status]).not.toEqual([field, text, 500]);
        if (answer.status === 400) expect(answer.body.error['field']).toEqual(expect.stringMatching(/./));
      }
  });
});

describe('whatever text a field or id of a route is, its answer is a success, a 4xx, or a 400 with a field', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  const answered = async (route: (typeof allRoutes)[number], key: string, options: Parameters<typeof send>[2]) => {
    world.clock.advance(1_000);
    const { status, body } = await send(world, route, { key, ...options });
    expect([200, 201, 400, 404, 409]).toContain(status);
    if (status === 400) expect(body.error).toMatchObject({ type: 'validation_error', field: expect.stringMatching(/./) });
  };

  test.each(allRoutes.map((route) => [routeKey(route), route] as const))('%s', async (_, route) => {
    const { key } = await createTenant(world);
    if (route.path.includes('{id}')) for (const text of texts) await answered(route, key, { id: encodeURIComponent(text) });
    const valid = samples[route.operation];
    if (route.body)
      for (const field of freeTextsOf(route.body, valid))
        for (const text of texts) await answered(route, key, { body: withText(valid, field, text) });
  });
});
