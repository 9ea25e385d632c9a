import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

const require = createRequire(import.meta.url);

/**
 * Node's environment. It also shares the compiled schemas of the OpenAPI document, because each test file
 * has modules of its own and would compile them again.
 */
export default class extends TestEnvironment {
  async setup() {
    await super.setup();
    Object.defineProperty(this.global, 'documentSchemas', { get: () => require('./schemas.ts') });
  }
}
