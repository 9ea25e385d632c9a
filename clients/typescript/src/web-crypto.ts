let provided: typeof globalThis.crypto | undefined;

/** Sets the Web Crypto of a runtime that has it in a module only. */
export const provideWebCrypto = (crypto: typeof globalThis.crypto): void => {
  provided = crypto;
};

const webCrypto = (): Partial<typeof globalThis.crypto> => globalThis.crypto ?? provided ?? {};

/** Returns the platform's `crypto.subtle`. Throws if there is none. */
export const webCryptoSubtle = (): typeof globalThis.crypto.subtle => {
  const { subtle } = webCrypto();
  if (subtle) return subtle;
  throw new TypeError('This runtime has no crypto.subtle, for example React Native or a page without TLS: verify webhooks on a server.');
};

/**
 * Returns 128 random bits as hexadecimal. Browsers offer `randomUUID` only to pages with TLS. Throws if
 * the platform has no random numbers that are unique everywhere.
 */
export const randomId = (): string => {
  const crypto = webCrypto();
  if (typeof crypto.getRandomValues !== 'function')
    throw new TypeError(
      'This runtime has no crypto.getRandomValues to make an Idempotency-Key with. Pass idempotencyKey, or import react-native-get-random-values before this client.',
    );
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
};
