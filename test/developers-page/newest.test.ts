import { expect, test } from '@jest/globals';
import { olderRows } from '../../pages/developers/src/ui/newest.ts';

/** Rows with these times, newest first. */
const rows = (...times: number[]) => times.map((time) => ({ id: `row_${time}`, time: `2030-03-14T08:00:0${time}Z` }));
const identify = { keyOf: ({ id }: { id: string }) => id, timeOf: ({ time }: { time: string }) => time };

test.each([
  ['keeps the rows after the newest ones', rows(5, 4, 3), rows(4, 3, 2, 1), rows(2, 1)],
  ['drops a row that the newest ones should have', rows(5, 3), rows(4, 3, 2), rows(2)],
  ['keeps nothing more if the newest rows are all', rows(4, 3), rows(4, 3), rows()],
  ['begins again if rows between may be missing', rows(9, 8), rows(2, 1), undefined],
  ['begins again if it was empty', rows(9, 8), rows(), undefined],
])('a live list %s', (_, newest, before, older) => {
  expect(olderRows(newest, before, identify)).toEqual(older);
});
