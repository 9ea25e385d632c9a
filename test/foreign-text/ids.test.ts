import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { actionTable } from '../../functions/actions/index.ts';
import { type Dashboard, startDashboard } from '../actions/dashboard.ts';
import { readyCalls } from '../actions/every-action.ts';
import { freeTextsOf, withText } from '../contract/inputs.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { longest } from './texts.ts';

let dashboard: Dashboard;
let receiver: Receiver;
beforeAll(async () => {
  [dashboard, receiver] = await Promise.all([startDashboard(), startReceiver()]);
});
afterAll(() => Promise.all([dashboard.stop(), receiver.stop()]));

const ids = [longest(255), '#', '~', '%00', '__proto__', '\uffff', 'a\u2028b', '<b>x</b>', ' ', '../x'];

test.each(Object.keys(readyCalls))('%s never fails on our side, whatever text an id is', async (action) => {
  const { account, input } = (await readyCalls[action]?.({ dashboard, receiver })) ?? { input: {} };
  const schema = actionTable[action]?.input;
  for (const field of freeTextsOf(schema, input))
    for (const id of ids) {
      const answer = await dashboard.call({ action, account, input: withText(input, field, id) });
      expect([field, id, answer.ok || answer.status]).not.toEqual([field, id, 500]);
      if (!answer.ok && answer.status === 400) expect(answer.body.error['field']).toEqual(expect.stringMatching(/./));
    }
});
