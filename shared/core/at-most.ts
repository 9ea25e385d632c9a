/**
 * Returns a function that runs at most `limit` calls at the same time; other calls wait in order.
 * Without a limit, all calls compete for this process's CPU, and their timeouts include that wait.
 */
export const atMost = (limit: number): (<Result>(work: () => Promise<Result>) => Promise<Result>) => {
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
