/** ^C, `kill`, and the end of the terminal. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Signals within this time count as one: a terminal sends ^C to every process, and npm and an older
 * Node pass it on.
 */
const repeatMs = 1_000;

/**
 * Calls `ask` at the first signal to stop, and `insist` at a later one. Returns a function that
 * stops watching.
 */
export const onStopSignals = (ask: () => void, insist: () => void): (() => void) => {
  let firstMs: number | undefined;
  const notice = () => {
    if (firstMs === undefined) {
      firstMs = performance.now();
      ask();
    } else if (performance.now() - firstMs > repeatMs) insist();
  };
  for (const signal of stopSignals) process.on(signal, notice);
  return () => {
    for (const signal of stopSignals) process.off(signal, notice);
  };
};
