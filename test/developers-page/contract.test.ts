import { expect, test } from '@jest/globals';
import { type ActionOutput, actionTable } from '../../functions/actions/index.ts';
import { type PageAction, type PageResults, pageActions } from '../../pages/developers/src/contract.ts';

type ActionOutputs = { readonly [Name in PageAction]: ActionOutput<Name> };

/** Does not compile if an action's result lacks a field that the page reads. */
const usedActions = pageActions satisfies readonly (ActionOutputs extends PageResults ? PageAction : never)[];

test('the page asks for actions that there are', () => {
  expect(usedActions.filter((name) => !Object.hasOwn(actionTable, name))).toEqual([]);
});
