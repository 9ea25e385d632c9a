import type { SecretPurpose } from '../../core/config.ts';

/**
 * A secret field of an account's settings may name the place of the secret, for example
 * `ssm:stripe/secret_key`. The name is relative to the account's own path, so that no account can
 * reach the secret of another. Its first part is the purpose of the secret. So a Stripe key is
 * never sent to a search engine's host, which the settings choose.
 */
export const referencePrefix = 'ssm:';

/**
 * Path of a parameter in Parameter Store, with at most five parts below the account's path, because
 * Parameter Store allows fifteen levels in total. No part consists only of dots, because software
 * that resolves paths might treat it as a step upwards.
 */
const part = '(?!\\.+(?:/|$))[\\w.-]{1,100}';
const namePattern = new RegExp(`^${part}(?:/${part}){0,4}$`);

/** Whether a value has the prefix of a reference. The reference may still be malformed. */
export const isReference = (value: string): boolean => value.startsWith(referencePrefix);

const nameOf = (reference: string): string => reference.slice(referencePrefix.length);

export const isWellFormed = (reference: string): boolean => isReference(reference) && namePattern.test(nameOf(reference));

/** Whether a well-formed reference names a secret of this purpose: `ssm:<purpose>/…`. */
export const isFor = (purpose: SecretPurpose, reference: string): boolean =>
  isWellFormed(reference) && nameOf(reference).startsWith(`${purpose}/`);

/**
 * Returns `<account>/<purpose>/…`, below the path of the stack; undefined for a reference that is
 * malformed or of another purpose.
 */
export const parameterOf = (account: string, reference: string, purpose: SecretPurpose): string | undefined =>
  isFor(purpose, reference) ? `${account}/${nameOf(reference)}` : undefined;
