import type { Change, Invoke } from '../contract.ts';

/** 128 random bits; `randomUUID` is for secure contexts only, which a dashboard on a developer's machine may not be. */
const newToken = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Runs changes with a token each. A failed change keeps its token, because its result is unknown: a
 * repetition is the same call and returns what was done.
 */
export const tokened = (invoke: Invoke): Change => {
  const unanswered = new Map<string, string>();
  const change: Invoke = async (action, input) => {
    const call = JSON.stringify([action, input]);
    const token = unanswered.get(call) ?? newToken();
    unanswered.set(call, token);
    const result = await invoke(action, input, token);
    // Something has happened: what was tried before is another matter now.
    unanswered.clear();
    return result;
  };
  return change as Change;
};
