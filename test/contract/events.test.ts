import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodeEvent } from '../../shared/domain/event/envelope.ts';
import { eventTypes } from '../../shared/domain/event/types.ts';
import { subscribableTypes } from './specification.ts';

test('the subscribable types are those of the specification', () => {
  expect(eventTypes.toSorted()).toEqual(subscribableTypes.toSorted());
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
