/**
 * A secret member of an account's settings may name where the secret is kept instead of holding it: `ssm:stripe/secret_key`.
 * The name is relative to the account's own path, so that no account's settings can lead to the secret of another.
 */
export const referencePrefix = 'ssm:';

/**
 * Parameter Store's characters, in at most five parts below the account's path, whose depth is limited to fifteen. No part is dots alone:
 * Parameter Store would take it for a name, but whatever reads paths on the way might take it for a step upwards.
 */
const part = '(?!\\.+(?:/|$))[\\w.-]{1,100}';
const namePattern = new RegExp(`^${part}(?:/${part}){0,4}$`);

/** Whether a value means to be a reference, well formed or not. */
export const isReference = (value: string): boolean => value.startsWith(referencePrefix);

const nameOf = (reference: string): string => reference.slice(referencePrefix.length);

export const isWellFormed = (reference: string): boolean => isReference(reference) && namePattern.test(nameOf(reference));

/** `<account>/<name>`, below the path of the stack; undefined for what is malformed. */
export const parameterOf = (account: string, reference: string): string | undefined =>
  isWellFormed(reference) ? `${account}/${nameOf(reference)}` : undefined;
