/**
 * Runs what it is given, at most so many at a time; the rest waits, first come first served. Calls
 * that a process starts all at once wait for its CPU before they wait for the other side, and their
 * timeouts count from the start.
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
      // The longest waiting caller takes its place.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
};
