import { expect } from '@jest/globals';
import type { RequestOptions, TestResponse, World } from '../support/world.ts';

/** A new account with one secret key, and its webhook endpoints over the API. */
export interface Shop {
  readonly account: string;
  readonly key: string;
  call(method: string, path: string, body?: unknown, headers?: RequestOptions['headers']): Promise<TestResponse>;
  /** Calls `POST /webhooks`, with a new URL by default. */
  register(fields?: Readonly<Record<string, unknown>>): Promise<TestResponse>;
  /** Registers an endpoint and returns the response. Throws if it fails. */
  endpoint(fields?: Readonly<Record<string, unknown>>): Promise<any>;
}

let count = 0;

/** Returns a new URL, so that no two tests share one. */
export const newUrl = (): string => {
  count += 1;
  return `https://hooks.example.com/${count}`;
};

export const openShop = async (world: World): Promise<Shop> => {
  const { id: account } = await world.createAccount();
  const key = await world.createKey(account);
  const call: Shop['call'] = (method, path, body, headers) =>
    world.request(method, path, { key, ...(body === undefined ? {} : { body }), ...(headers ? { headers } : {}) });
  const register: Shop['register'] = (fields = {}) => call('POST', '/webhooks', { url: newUrl(), events: ['expense.created'], ...fields });
  return {
    account,
    key,
    call,
    register,
    async endpoint(fields) {
      const { status, body, text } = await register(fields);
      if (status !== 201) throw new Error(text);
      return body;
    },
  };
};

/** A rejection in the standard envelope, with any message. */
export const errorBody = (code: string, field?: string) => ({
  error: {
    type: { invalid_value: 'validation_error', invalid_cursor: 'validation_error' }[code] ?? code,
    code,
    message: expect.any(String),
    ...(field === undefined ? {} : { field }),
  },
});
