import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { type Bakery, openBakery, type Service, startBakeries } from './bakery.ts';

/** Returns the service of a test file, and the bakery that is opened for each of its tests. */
export const openForEachTest = () => {
  const at = {} as { service: Service; bakery: Bakery };
  beforeAll(async () => {
    at.service = await startBakeries();
  });
  beforeEach(async () => {
    await at.service.pipeline.clear();
    at.bakery = await openBakery(at.service);
  });
  afterAll(() => at.service.stop());
  return at;
};
