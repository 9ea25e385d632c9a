type Methods<Provider> = { readonly [Name in keyof Provider]: (...values: never[]) => Promise<unknown> };

/**
 * Returns a provider that opens at the first call of one of its methods. `open` loads an AWS client
 * with a dynamic import, which the build keeps out of the cold start. Use it for clients that a
 * function seldom needs.
 */
export const atFirstUse = <Provider extends Methods<Provider>>(
  methods: Readonly<Record<keyof Provider, true>>,
  open: () => Promise<Provider>,
): Provider => {
  let opening: Promise<Provider> | undefined;
  const call = async (name: keyof Provider, values: never[]): Promise<unknown> => {
    opening ??= open();
    const provider = await opening.catch((error: unknown) => {
      opening = undefined; // the next call tries again
      throw error;
    });
    return provider[name](...values);
  };
  const names = Object.keys(methods) as (keyof Provider)[];
  return Object.fromEntries(names.map((name) => [name, (...values: never[]) => call(name, values)])) as unknown as Provider;
};

/**
 * Returns a function that runs at most `limit` calls at the same time; other calls wait in order.
 * Without a limit, all calls compete for this process's CPU, and their timeouts include that wait.
 */
export const limitParallel = (limit: number): (<Result>(work: () => Promise<Result>) => Promise<Result>) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < limit) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The caller that has waited longest runs next.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
};

/**
 * Returns the results of work that runs in parallel. Unlike `Promise.all`, it rejects only after all
 * work has ended. Use it for writes: Lambda freezes a process that has returned, and its next
 * invocation, perhaps hours later, would send what was left in flight.
 */
export const awaitAll = async <const Work extends readonly unknown[]>(work: Work) => {
  await Promise.allSettled(work);
  return await Promise.all(work);
};
