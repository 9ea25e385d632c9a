/**
 * US dollars a million that an operation may cost at most, by its title in `operations.ts`; `costs.test.ts` holds them. Never loosen one.
 *
 * `budgets` is what holds. `wanted` is what is asked of the whole: once it is met, it takes the place of `budgets`, and this sentence goes.
 */
export const budgets: Readonly<Record<string, number>> = {
  'GET by id': 2.5,
  'POST /expenses, supplier': 11.86,
  'POST /orders, known customer': 30.19,
  'a delivery alone': 10.51,
  'a delivery, ten in one invocation': 6.79,
};

export const wanted: typeof budgets = {
  'GET by id': 2.4,
  'POST /expenses, supplier': 8.1,
  'POST /orders, known customer': 14.8,
  'a delivery alone': 7.5,
  'a delivery, ten in one invocation': 4.2,
};
