import type { Change, Invoke } from '../contract.ts';

/** 128 random bits; `randomUUID` is for secure contexts only, which a dashboard on a developer's machine may not be. */
const newToken = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Changes with a token each. One that failed keeps its own, because nobody knows what became of it: the same change asked for again is
 * the same call, and is answered with what was done.
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
