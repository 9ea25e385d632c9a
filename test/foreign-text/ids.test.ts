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

/** Ids of other records, which reject what they do not find. */
const lookups = /(^|\.)(id|order_id|customer_id|product_id|variant_id|delivery_time)$/;

/**
 * Sends each text in all fields at once. Only if that fails, sends it in each field alone, because
 * the rejection of one field hides the others. An id of another record is always sent alone.
 * `respond` returns whether the input was accepted.
 */
const sendTexts = async (fields: readonly string[], valid: object, respond: (sent: object, what: string) => Promise<boolean>) => {
  const own = fields.filter((field) => !lookups.test(field));
  for (const text of texts) {
    const all = own.reduce((sent, field) => withText(sent, field, text), valid);
    const isDone = own.length > 1 && (await respond(all, `all fields: ${text}`));
    for (const field of fields) if (!isDone || lookups.test(field)) await respond(withText(valid, field, text), `${field}: ${text}`);
  }
};

describe('any text in a field of an action', () => {
  let dashboard: Dashboard;
  let receiver: Receiver;
  beforeAll(async () => {
    [dashboard, receiver] = await Promise.all([startDashboard(), startReceiver()]);
  });
  afterAll(() => Promise.all([dashboard.stop(), receiver.stop()]));

  test.each(Object.keys(readyCalls))('%s returns success or a 4xx for any text in a field, and its 400 names a field', async (action) => {
    const { account, input } = (await readyCalls[action]?.({ dashboard, receiver })) ?? { input: {} };
    await sendTexts(freeTextsOf(actionTable[action]?.input, input), input, async (sent, what) => {
      const response = await dashboard.call({ action, account, input: sent });
      if (response.ok) return true;
      expect([what, response.status]).not.toEqual([what, 500]);
      if (response.status === 400) expect(response.body.error['field']).toEqual(expect.stringMatching(/./));
      return false;
    });
  });
});

describe('any text as field or id of a route', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  const respond = async (route: (typeof allRoutes)[number], key: string, options: Parameters<typeof send>[2]): Promise<boolean> => {
    world.clock.advance(1_000);
    const { status, body } = await send(world, route, { key, ...options });
    expect([200, 201, 400, 404, 409]).toContain(status);
    if (status === 400) expect(body.error).toMatchObject({ type: 'validation_error', field: expect.stringMatching(/./) });
    return status < 400;
  };

  test.each(allRoutes.map((route) => [routeKey(route), route] as const))(
    '%s returns success or a 4xx for any text as field or id, and its 400 names a field',
    async (_, route) => {
      const { key } = await createTenant(world);
      if (route.path.includes('{id}')) for (const text of texts) await respond(route, key, { id: encodeURIComponent(text) });
      const valid = samples[route.operation];
      if (route.body) await sendTexts(freeTextsOf(route.body, valid), valid, (body) => respond(route, key, { body }));
    },
  );
});
