/**
 * About two minutes on an idle machine. The limit counts calls and not time, so a loaded machine
 * gets longer.
 */
const mostQuestions = 12_000;
const pauseMs = 10;

/**
 * Calls `ask` until it returns the wanted value, and returns that. Throws an error with the last
 * value at the limit.
 */
export const eventually = async <Value>(ask: () => Value | Promise<Value>, isExpected: (value: Value) => boolean): Promise<Value> => {
  let value = await ask();
  for (let questions = 1; !isExpected(value); questions++) {
    if (questions === mostQuestions) throw new Error(`It did not happen: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    value = await ask();
  }
  return value;
};

/** Waits until the condition holds. */
export const until = async (condition: () => boolean): Promise<void> => void (await eventually(condition, (holds) => holds));
