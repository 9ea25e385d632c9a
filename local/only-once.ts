/** Longer than a reading of what is done next can be old. */
const lingerMs = 5_000;

/**
 * Does each piece of work by its name once at a time, and not again right after it: sweeps follow the time scale and attempts last as long
 * as ever, so messages are doubled whose attempts are still being made. Work that failed may be done again at once.
 */
export const onlyOnce = () => {
  const known = new Set<string>();
  return async <Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined> => {
    if (known.has(name)) return undefined;
    known.add(name);
    try {
      const result = await work();
      setTimeout(() => known.delete(name), lingerMs).unref();
      return result;
    } catch (error) {
      known.delete(name);
      throw error;
    }
  };
};
