import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { parse } from '../../shared/core/fields.ts';
import { settingsSchema } from '../../shared/domain/account/settings.ts';
import { startWorld, type TestResponse, type World } from '../support/world.ts';

export type KeyType = 'secret' | 'publishable';
export const keyTypes: readonly KeyType[] = ['secret', 'publishable'];

/** One world per file; a new account with both kinds of key per test. */
export interface ReferenceTest {
  readonly world: World;
  readonly account: string;
  readonly keys: Readonly<Record<KeyType, string>>;
  /** Stores what the dashboard's settings.put stores. */
  put(settings: Record<string, unknown>): Promise<void>;
  get(path: string, type?: KeyType): Promise<TestResponse>;
  /** The body of a response that is a 200. */
  read(path: string, type?: KeyType): Promise<any>;
}

export const useReference = (): ReferenceTest => {
  const parts = {} as { -readonly [Name in keyof ReferenceTest]: ReferenceTest[Name] };
  let address = 0;
  beforeAll(async () => {
    parts.world = await startWorld();
  });
  afterAll(() => parts.world.stop());
  beforeEach(async () => {
    const { world } = parts;
    parts.account = (await world.createAccount()).id;
    parts.keys = {
      secret: await world.createKey(parts.account),
      publishable: await world.createKey(parts.account, { type: 'publishable' }),
    };
  });
  return Object.assign(parts, {
    put: ({ ...settings }: Record<string, unknown>) =>
      parts.world.store.commit([parts.world.store.accounts.putSettingsWrite(parts.account, parse(settingsSchema, settings))]),
    get: (path: string, type: KeyType = 'secret') => {
      // No two requests share the bucket of an address.
      address += 1;
      return parts.world.request('GET', path, { key: parts.keys[type], sourceIp: `2001:db8::${address.toString(16)}` });
    },
    async read(path: string, type: KeyType = 'secret') {
      const { status, body } = await parts.get(path, type);
      if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
      return body;
    },
  });
};

export const invalidValue = (field: string) => ({
  error: { type: 'validation_error', code: 'invalid_value', message: expect.any(String), field },
});
