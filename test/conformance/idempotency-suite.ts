import { describe, expect, test } from '@jest/globals';
import { type Lock, lockMs, retentionSeconds } from '../../shared/table/idempotency.ts';
import type { Bench } from './engines.ts';

const account = 'acct_idempotent';
const response = { status: 201, body: '{"id":"exp_1"}' };

export const idempotencySuite = (bench: () => Bench): void => {
  describe('idempotency', () => {
    let serial = 0;
    const newLock = () => {
      serial += 1;
      return { key: `key:${serial}`, keyType: 'secret' as const, route: 'createExpense', bodyHash: 'hash', token: `token ${serial}` };
    };
    const acquire = (lock: Lock) => bench().store.idempotency.acquire(account, lock);
    const finish = (lock: Lock) => bench().store.commit([bench().store.idempotency.finishWrite(account, lock, response)]);
    const release = (lock: Lock) => bench().store.idempotency.release(account, lock);

    test('locked, then done, then replayed; another body or route is told apart', async () => {
      const lock = newLock();
      expect(await acquire(lock)).toEqual({ kind: 'acquired' });
      expect(await acquire(lock)).toEqual({ kind: 'acquired' });
      expect(await acquire({ ...lock, token: 'other' })).toEqual({ kind: 'in_flight' });
      expect(await acquire({ ...lock, token: 'other', bodyHash: 'other' })).toEqual({ kind: 'reused' });
      await finish(lock);
      expect(await acquire({ ...lock, token: 'other' })).toEqual({ kind: 'replay', ...response });
      expect(await acquire({ ...lock, token: 'other', route: 'createOrder' })).toEqual({ kind: 'reused' });
    });

    test('the same key sent with the other type of API key is another one, also for whoever releases it', async () => {
      const lock = newLock();
      const visitor = { ...lock, keyType: 'publishable' as const, bodyHash: 'other', token: 'visitor' };
      expect([await acquire(lock), await acquire(visitor)]).toEqual([{ kind: 'acquired' }, { kind: 'acquired' }]);
      await finish(lock);
      expect(await release(visitor)).toBeUndefined();
      expect(await acquire(visitor)).toEqual({ kind: 'acquired' });
      expect(await acquire({ ...lock, token: 'next' })).toEqual({ kind: 'replay', ...response });
    });

    test('of many at once exactly one gets the lock', async () => {
      const lock = newLock();
      const results = await Promise.all(Array.from({ length: 8 }, (_, i) => acquire({ ...lock, token: `${i}` })));
      expect(results.map(({ kind }) => kind).sort()).toEqual(['acquired', ...Array(7).fill('in_flight')]);
    });

    test('a lock that lapsed goes to the next, and its old holder can neither finish nor release', async () => {
      const lock = newLock();
      await acquire(lock);
      bench().clock.advance(lockMs);
      expect(await acquire({ ...lock, token: 'next' })).toEqual({ kind: 'acquired' });
      await expect(finish(lock)).rejects.toMatchObject({ code: 'request_in_flight' });
      expect(await release(lock)).toBeUndefined();
      expect(await acquire({ ...lock, token: 'third' })).toEqual({ kind: 'in_flight' });
    });

    test('a released key is free at once; one whose commit had landed is not released but answered', async () => {
      const lock = newLock();
      await acquire(lock);
      expect(await release(lock)).toBeUndefined();
      expect(await acquire({ ...lock, token: 'next' })).toEqual({ kind: 'acquired' });
      await finish({ ...lock, token: 'next' });
      expect(await release({ ...lock, token: 'next' })).toEqual(response);
      expect(await release({ ...lock, token: 'other' })).toBeUndefined();
      expect(await release({ ...newLock(), token: 'none' })).toBeUndefined();
    });

    test('after 24 hours, to the second, the key is new', async () => {
      const lock = newLock();
      await acquire(lock);
      await finish(lock);
      bench().clock.advance((retentionSeconds - 1) * 1000);
      expect(await acquire({ ...lock, token: 'next' })).toMatchObject({ kind: 'replay' });
      bench().clock.advance(1000);
      expect(await acquire({ ...lock, token: 'next', bodyHash: 'other' })).toEqual({ kind: 'acquired' });
    });
  });
};
