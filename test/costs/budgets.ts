/**
 * The limits of an operation over all its invocations: DynamoDB calls, sequential calls, read and
 * write units.
 */
export interface Most {
  readonly calls?: number;
  readonly trips?: number;
  readonly readUnits?: number;
  readonly writeUnits: number;
  /** US dollars per million operations. */
  readonly dollars?: number;
}

/** By titles in `operations.ts`; `costs.test.ts` checks them. Never raise a budget. */
export const budgets: Readonly<Record<string, Most>> = {
  'GET by id': { calls: 2, trips: 1, readUnits: 3, writeUnits: 1, dollars: 2.42 },
  'GET 20 expenses': { calls: 3, trips: 1, readUnits: 3, writeUnits: 1, dollars: 2.44 },
  'GET 20 behind a cursor': { calls: 3, trips: 1, readUnits: 4, writeUnits: 1 },
  'GET 20 orders': { calls: 3, trips: 1, readUnits: 3.5, writeUnits: 1 },
  'POST /expenses, supplier': { calls: 3, trips: 2, readUnits: 3, writeUnits: 10, dollars: 8.15 },
  'POST /customers': { calls: 3, trips: 2, readUnits: 3, writeUnits: 8 },
  'POST /orders, walk-in': { calls: 4, trips: 3, readUnits: 3, writeUnits: 11 },
  'POST /orders, walk-in, order limit': { calls: 4, trips: 3, readUnits: 3, writeUnits: 13 },
  'POST /orders, known customer': { calls: 4, trips: 3, readUnits: 4, writeUnits: 15, dollars: 11.5 },
  'POST /orders, new customer, payment': { calls: 4, trips: 3, readUnits: 4, writeUnits: 21 },
  'POST /checkout': { calls: 4, trips: 2, readUnits: 4, writeUnits: 3 },
  'a checkout is paid, new customer': { calls: 7, trips: 5, writeUnits: 32 },
  'an order gets another status': { calls: 3, trips: 3, writeUnits: 9, dollars: 6.5 },
  'a delivery alone': { calls: 7, trips: 6, readUnits: 3, writeUnits: 4, dollars: 5.5 },
  'a delivery, ten in one invocation': { calls: 30, readUnits: 17, writeUnits: 22, dollars: 2.1 },
  'a delivery that succeeds at the second attempt': { calls: 11, writeUnits: 11 },
  'the same after a response of 1,000 incompressible bytes': { calls: 11, writeUnits: 13 },
};
