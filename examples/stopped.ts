const lookEveryMs = 200;

/**
 * Resolves when the example is told to end: by a signal, or because the npm that started it has
 * ended. npm may pass on a ^C that the terminal has already sent, so later signals change nothing.
 */
export const stopped = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  const parent = process.ppid;
  if (process.env['npm_lifecycle_event']) setInterval(() => process.ppid !== parent && resolve(), lookEveryMs).unref();
});
