import type { Change, Invoke } from '../contract.ts';

/**
 * Returns 128 random bits. `randomUUID` needs a secure context, which a developer's dashboard may
 * lack.
 */
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
    // The change succeeded, so earlier failed changes lose their tokens.
    unanswered.clear();
    return result;
  };
  return change as Change;
};
