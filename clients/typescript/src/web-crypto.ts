/**
 * Node before 19 has Web Crypto only in a module. The variable name makes bundlers for browsers
 * skip the import.
 */
const nodeModule = 'node:crypto';

/** The platform's Web Crypto: browsers, Node ≥ 18, Deno, Bun and workers. */
export const webCrypto = async (): Promise<typeof globalThis.crypto> =>
  globalThis.crypto ?? (await import(/* webpackIgnore: true */ /* @vite-ignore */ nodeModule)).webcrypto;

/** Returns 128 random bits as hexadecimal. Browsers offer `randomUUID` only to pages with TLS. */
export const randomId = async (): Promise<string> => {
  const bytes = (await webCrypto()).getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
};
