import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { searchSync } from '../../functions/search-sync/app.ts';
import { encodeSearchMessage } from '../../shared/domain/product/search.ts';
import { createPipeline, type Pipeline } from '../support/pipeline.ts';
import { searchSettings } from '../support/requests.ts';
import { secretsOf } from '../support/secrets.ts';
import { type SearchEngine, startSearchEngine } from '../support/typesense.ts';
import { startWorld, type World } from '../support/world.ts';

/** One world and engine per file; a new account with search configured per test. */
export interface SearchTest {
  readonly world: World;
  readonly pipeline: Pipeline;
  readonly engine: SearchEngine;
  readonly account: string;
  /** The parameters that the accounts' references name. */
  readonly parameters: Record<string, string>;
  configure(account: string, search?: Record<string, unknown>): Promise<void>;
  /** Runs one invocation with a message per product. Returns the positions of those that failed. */
  sync(...products: readonly { readonly account: string; readonly product: string }[]): Promise<number[]>;
  invoke(bodies: readonly string[]): Promise<number[]>;
}

export const adminKey = 'admin-key';
export const collection = 'products 2';

export const useSearch = (): SearchTest => {
  const parts = {} as { -readonly [Name in keyof SearchTest]: SearchTest[Name] };
  const parameters: Record<string, string> = {};
  beforeAll(async () => {
    parts.world = await startWorld();
    parts.engine = await startSearchEngine(adminKey, [collection]);
    parts.pipeline = createPipeline(parts.world);
  });
  afterAll(async () => {
    parts.pipeline.close();
    await parts.engine.stop();
    await parts.world.stop();
  });
  beforeEach(async () => {
    parts.engine.gate(undefined);
    parts.world.wire.intercept(undefined);
    await parts.pipeline.clear();
    parts.account = (await parts.world.createAccount()).id;
    await parts.configure(parts.account);
  });
  return Object.assign(parts, {
    parameters,
    async configure(account: string, search: Record<string, unknown> = {}) {
      const settings = { search: { ...searchSettings, host: parts.engine.host, collection, admin_key: adminKey, ...search } };
      await parts.world.store.commit([parts.world.store.accounts.putSettingsWrite(account, settings)]);
    },
    async invoke(bodies: readonly string[]) {
      const handler = searchSync({ ...parts.world.services, secrets: secretsOf(parameters) });
      const { batchItemFailures } = await handler({ Records: bodies.map((body, i) => ({ messageId: String(i), body }) as SQSRecord) });
      return batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier));
    },
    sync: (...products: readonly { readonly account: string; readonly product: string }[]) =>
      parts.invoke(products.map(encodeSearchMessage)),
  });
};
