/**
 * Calls twice a second, below a key's rate limit, until the result is neither false nor undefined,
 * and resolves with it. Throws with the description after the timeout.
 */
export const until = async <Value>(
  what: string,
  deadlineMs: number,
  ask: () => Promise<Value | false | undefined> | Value | false | undefined,
): Promise<Value> => {
  const endMs = Date.now() + deadlineMs;
  for (;;) {
    const value = await ask();
    if (value !== false && value !== undefined) return value;
    if (Date.now() > endMs) throw new Error(`Not within ${deadlineMs / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
};
