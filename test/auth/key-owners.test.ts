import { expect, test } from '@jest/globals';
import { createKeyOwners } from '../../shared/auth/authenticate.ts';

const owner = (i: number) => ({ id: `key_${i}`, account: `acct_${i}` });

test('a function remembers the owners of the 10,000 keys that were used last', () => {
  const owners = createKeyOwners();
  for (let i = 0; i < 10_000; i++) owners.remember(`${i}`, owner(i));
  expect([owners.find('0'), owners.find('9999')]).toEqual([owner(0), owner(9_999)]);
  owners.remember('new', owner(10_000));
  expect([owners.find('1'), owners.find('0'), owners.find('2'), owners.find('new')]).toEqual([
    undefined,
    owner(0),
    owner(2),
    owner(10_000),
  ]);
});
