import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { type Bakery, openBakery, type Service, startBakeries } from './bakery.ts';

/**
 * Returns the service of a test file, and the bakery that is opened for all of its tests, or for
 * each if they change it.
 */
const openFor = (before: typeof beforeEach) => {
  const at = {} as { service: Service; bakery: Bakery };
  beforeAll(async () => {
    at.service = await startBakeries();
  });
  before(async () => {
    at.service.world.wire.intercept(undefined);
    await at.service.pipeline.clear();
    at.bakery = await openBakery(at.service);
  });
  afterAll(() => at.service.stop());
  return at;
};

export const openForEachTest = () => openFor(beforeEach);
export const openForAllTests = () => openFor(beforeAll);
