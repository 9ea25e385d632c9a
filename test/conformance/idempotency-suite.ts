import { describe, expect, test } from '@jest/globals';
import type { IdempotentRequest } from '../../shared/table/idempotency.ts';
import { retentionSeconds } from '../../shared/table/keys.ts';
import type { Bench } from './engines.ts';

const account = 'acct_idempotent';
const response = { status: 201, body: '{"id":"exp_1"}' };

export const idempotencySuite = (bench: () => Bench): void => {
  describe('idempotency', () => {
    let serial = 0;
    const newRequest = (): IdempotentRequest => {
      serial += 1;
      return { key: `key:${serial}`, keyType: 'secret', route: 'createExpense', bodyHash: 'hash', token: `token ${serial}` };
    };
    const find = (request: IdempotentRequest) => bench().store.idempotency.find(account, request);
    const store = (request: IdempotentRequest, body = response.body) =>
      bench().store.commit([bench().store.idempotency.storeWrite(account, request, { ...response, body })]);

    test('the store has a response with the values that distinguish a request from its repetitions', async () => {
      const request = newRequest();
      expect(await find(request)).toBeUndefined();
      await store(request);
      const { route, bodyHash, token } = request;
      expect(await find({ ...request, token: 'other', bodyHash: 'other', route: 'createOrder' })).toMatchObject({
        ...response,
        route,
        bodyHash,
        token,
      });
    });

    test('the store separates Idempotency-Keys by type of API key and by account', async () => {
      const request = newRequest();
      await store(request);
      const visitor = { ...request, keyType: 'publishable' as const };
      expect([await find(visitor), await bench().store.idempotency.find('acct_other', request)]).toEqual([undefined, undefined]);
      await store(visitor, '{}');
      expect(await find(request)).toMatchObject(response);
    });

    test('the store has exactly one of many simultaneous responses, and never replaces it', async () => {
      const request = newRequest();
      const requests = Array.from({ length: 8 }, (_, i) => ({ ...request, token: `${i}` }));
      const results = await Promise.allSettled(requests.map((one) => store(one, one.token)));
      const stored = results.flatMap(({ status }, i) => (status === 'fulfilled' ? [i] : []));
      expect(stored).toHaveLength(1);
      for (const result of results)
        expect(result).toMatchObject(result.status === 'fulfilled' ? {} : { reason: { code: 'request_in_flight' } });
      await expect(store({ ...request, token: `${stored[0]}` }, 'again')).rejects.toMatchObject({ code: 'request_in_flight' });
      expect(await find(request)).toMatchObject({ token: `${stored[0]}`, body: `${stored[0]}` });
    });

    test('the store frees an Idempotency-Key after exactly 24 hours', async () => {
      const request = newRequest();
      await store(request);
      bench().clock.advance((retentionSeconds('idempotency') - 1) * 1000);
      expect(await find(request)).toMatchObject(response);
      await expect(store({ ...request, token: 'next' })).rejects.toMatchObject({ code: 'request_in_flight' });
      bench().clock.advance(1000);
      expect(await find(request)).toBeUndefined();
      await store({ ...request, token: 'next' }, '{}');
      expect(await find(request)).toMatchObject({ token: 'next', body: '{}' });
    });
  });
};
