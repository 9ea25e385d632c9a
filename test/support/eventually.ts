/**
 * About two minutes on an idle machine. A loaded one gets longer, because questions are counted and
 * no time is measured.
 */
const mostQuestions = 12_000;
const pauseMs = 10;

/** Asks until the value is the wanted one, and returns it; throws with the last one. */
export const eventually = async <Value>(ask: () => Value | Promise<Value>, wanted: (value: Value) => boolean): Promise<Value> => {
  let value = await ask();
  for (let questions = 1; !wanted(value); questions++) {
    if (questions === mostQuestions) throw new Error(`It did not happen: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    value = await ask();
  }
  return value;
};

/** Waits until the condition holds. */
export const until = async (condition: () => boolean): Promise<void> => void (await eventually(condition, (holds) => holds));
