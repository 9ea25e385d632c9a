type Invoke = (input: unknown) => Promise<unknown>;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The lists of a page behind those of the pages before it; its other members replace theirs. */
const joined = (before: Record<string, unknown>, page: Record<string, unknown>): Record<string, unknown> => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(page).map(([name, value]) => {
      const list = before[name];
      return [name, Array.isArray(list) && Array.isArray(value) ? [...list, ...value] : value];
    }),
  ),
});

/** Calls again, as long as an erasure asks for it. */
const eraseToTheEnd = async (invoke: Invoke, input: unknown): Promise<unknown> => {
  for (;;) {
    const result = await invoke(input);
    if (!isObject(result) || result['erased'] !== false) return result;
  }
};

/** All pages as one document, unless the caller asked for one by its cursor. */
const exportToTheEnd = async (invoke: Invoke, given: unknown): Promise<unknown> => {
  let result = await invoke(given);
  const input = isObject(given) ? given : {};
  if (input['cursor'] != null) return result;
  while (isObject(result) && result['has_more'] === true) {
    const page = await invoke({ ...input, cursor: result['next_cursor'] });
    result = isObject(page) ? joined(result, page) : page;
  }
  return result;
};

const manners: Readonly<Record<string, typeof eraseToTheEnd>> = {
  'account.erase': eraseToTheEnd,
  'account.export': exportToTheEnd,
  'customer.erase': eraseToTheEnd,
};

/** Runs an action to its end where one call does a part of it: a function is cut off after a minute and answers with 6 MB at most. */
export const follow = (action: string, invoke: Invoke, input: unknown): Promise<unknown> =>
  manners[action]?.(invoke, input) ?? invoke(input);
