import type { Change, Invoke } from '../contract.ts';

/**
 * Returns 128 random bits. `randomUUID` needs a secure context, which a developer's dashboard may
 * lack.
 */
const newToken = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const nounOf = (action: string): string => action.slice(0, action.indexOf('.'));

/**
 * Runs changes with a token each. A failed change keeps its token, because its result is unknown: a
 * repetition is the same call and returns what was done. The tokens belong to the page and not to a
 * dialog. So a key is shown after a lost response, even if its form was closed in between.
 */
export const tokened = (invoke: Invoke): Change => {
  const unanswered = new Map<string, { readonly noun: string; readonly token: string }>();
  const change: Invoke = async (action, input) => {
    const call = JSON.stringify([action, input]);
    const noun = nounOf(action);
    const { token } = unanswered.get(call) ?? { token: newToken() };
    unanswered.set(call, { noun, token });
    const result = await invoke(action, input, token);
    // The change succeeded, so earlier failed changes of keys, or of endpoints, lose their tokens.
    for (const [key, one] of unanswered) if (one.noun === noun) unanswered.delete(key);
    return result;
  };
  return change as Change;
};
