/** Node before 19 has Web Crypto in a module only; the name is a variable so that bundlers for browsers leave the import alone. */
const nodeModule = 'node:crypto';

/** The platform's Web Crypto: browsers, Node ≥ 18, Deno, Bun and workers. */
export const webCrypto = async (): Promise<typeof globalThis.crypto> =>
  globalThis.crypto ?? (await import(/* webpackIgnore: true */ /* @vite-ignore */ nodeModule)).webcrypto;

/** 128 random bits as hexadecimal; not `randomUUID`, which browsers keep from pages without TLS. */
export const randomId = async (): Promise<string> => {
  const bytes = (await webCrypto()).getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
};
