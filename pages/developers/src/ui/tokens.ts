import type { Change, Invoke, PageAction } from '../contract.ts';

/**
 * Returns 128 random bits. `randomUUID` needs a secure context, which a developer's dashboard may
 * lack.
 */
const newToken = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const nounOf = (action: string): string => action.slice(0, action.indexOf('.'));

/** Changes that make a record. A repetition with other choices must not make a second record. */
const makers: readonly PageAction[] = ['key.create', 'key.replace', 'webhook.create'];

type Input = Parameters<Invoke>[1];

/** Changes with one token, of which none has succeeded yet. */
interface UnresolvedChanges {
  readonly noun: string;
  readonly token: string;
  /** The inputs that were sent, newest first. */
  readonly inputs: readonly Input[];
}

const isSame = (a: Input, b: Input): boolean => JSON.stringify(a) === JSON.stringify(b);
const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown } | undefined)?.code;

/**
 * Runs changes with a token each. A failed change keeps its token, because its result is unknown: a
 * repetition is the same call and returns what was done. A repetition with other choices of a change
 * that makes a record also has its token: it returns what an earlier call made, if one did. The
 * tokens belong to the page and not to a dialog. So a key is shown after a lost response, even if its
 * form was closed in between.
 */
export const tokened = (invoke: Invoke): Change => {
  const unresolved = new Map<string, UnresolvedChanges>();
  const change: Invoke = async (action, input) => {
    const subject = makers.includes(action) ? input['id'] : input;
    const intent = JSON.stringify([action, subject]);
    const { token, inputs } = unresolved.get(intent) ?? { token: newToken(), inputs: [] };
    const earlier = inputs.filter((one) => !isSame(one, input));
    unresolved.set(intent, { noun: nounOf(action), token, inputs: [input, ...earlier] });
    const result = await invoke(action, input, token).catch(async (error: unknown) => {
      if (codeOf(error) !== 'idempotency_key_reused') throw error;
      // One of the earlier calls took effect.
      for (const one of earlier) {
        const done = await invoke(action, one, token).then(
          (value) => ({ value }),
          (failure: unknown) => (codeOf(failure) === undefined ? Promise.reject(failure) : undefined),
        );
        if (done) return done.value;
      }
      throw error;
    });
    // The change succeeded, so earlier failed changes of keys, or of endpoints, lose their tokens.
    for (const [key, one] of unresolved) if (one.noun === nounOf(action)) unresolved.delete(key);
    return result;
  };
  return change as Change;
};
