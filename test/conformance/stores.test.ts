import { afterAll, beforeAll, describe } from '@jest/globals';
import { accountSuite } from './account-suite.ts';
import { deliverySuite } from './delivery-suite.ts';
import { endpointSuite } from './endpoint-suite.ts';
import { type Bench, engines } from './engines.ts';
import { erasureSuite } from './erasure-suite.ts';
import { expenseSuite } from './expense-suite.ts';
import { idempotencySuite } from './idempotency-suite.ts';
import { mergedPagesSuite } from './merged-pages-suite.ts';
import { orderSuite } from './order-suite.ts';
import { sizeSuite } from './size-suite.ts';

/**
 * The stores' assumptions hold on every engine; otherwise a passing test proves nothing about
 * DynamoDB.
 */
const suites = {
  accountSuite,
  expenseSuite,
  idempotencySuite,
  endpointSuite,
  deliverySuite,
  orderSuite,
  mergedPagesSuite,
  erasureSuite,
  sizeSuite,
};

for (const { name, start } of engines) {
  const run = start ? describe : describe.skip;
  run(start ? name : `${name}: skipped, it does not run on this machine`, () => {
    let bench: Bench;
    beforeAll(async () => {
      if (start) bench = await start();
    });
    afterAll(() => bench?.stop());
    for (const suite of Object.values(suites)) suite(() => bench);
  });
}
