import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodeEvent } from '../../shared/domain/event/envelope.ts';
import { eventTypes } from '../../shared/domain/event/types.ts';
import { subscribable } from './specification.ts';

test('the subscribable types are those of the specification', () => {
  const types = Object.entries(subscribable).flatMap(([noun, verbs]) => verbs.map((verb) => `${noun}.${verb}`));
  expect([...eventTypes].sort()).toEqual(types.sort());
});

describe('the envelope', () => {
  const content = { id: 'evt_1', type: 'expense.created', createdSeconds: 1_772_323_200, account: 'acct_1', object: { id: 'exp_1' } };

  test('the envelope carries any payload unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (object) => {
        expect(JSON.parse(encodeEvent({ ...content, object })).data.object).toEqual(JSON.parse(JSON.stringify(object)));
      }),
    );
  });
});
