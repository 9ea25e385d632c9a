/** Data that the examples need. Your program reads it from its own configuration. */
export interface Bakery {
  /** Ends with `/api/v2`. */
  readonly url: string;
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly name: string;
  /** Where orders are picked up; null if it is not known. */
  readonly address: string | null;
}

interface LocalRegion {
  readonly url: string;
  readonly demo: { readonly name: string; readonly address?: string; readonly secretKey: string; readonly publishableKey: string } | null;
}

/** Ends the program with the error's sentence. A stack trace would not help its reader. */
export const endWith = (error: unknown): never => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
};

/**
 * Reads BAKERY_URL with BAKERY_API_KEY or BAKERY_PUBLISHABLE_KEY, BAKERY_NAME and BAKERY_ADDRESS. Without
 * BAKERY_URL, uses the demo bakery of `npm start` on port BAKERY_PORT (4000). Ends the program if
 * that does not run, or if the key that it needs is not set beside BAKERY_URL.
 */
export const findBakery = async (needed: 'secretKey' | 'publishableKey', env = process.env): Promise<Bakery> => {
  const {
    BAKERY_URL: url,
    BAKERY_API_KEY: secretKey = '',
    BAKERY_PUBLISHABLE_KEY: publishableKey = '',
    BAKERY_PORT: port = '4000',
    BAKERY_NAME: name,
    BAKERY_ADDRESS: address,
  } = env;
  if (url && !{ secretKey, publishableKey }[needed])
    return endWith(`Set ${needed === 'secretKey' ? 'BAKERY_API_KEY' : 'BAKERY_PUBLISHABLE_KEY'} beside BAKERY_URL.`);
  if (url) return { url, secretKey, publishableKey, name: name ?? 'Bakery shop', address: address ?? null };
  const response = await fetch(`http://127.0.0.1:${port}/_local/places`).catch(() => undefined);
  const { places } = (response?.ok ? await response.json() : { places: [] }) as { places: readonly LocalRegion[] };
  const localRegion = places.find(({ demo }) => demo);
  if (!localRegion?.demo) return endWith(`No demo bakery on port ${port}: run npm start, or set BAKERY_URL and a key.`);
  const { demo } = localRegion;
  return {
    url: localRegion.url,
    secretKey: secretKey || demo.secretKey,
    publishableKey: publishableKey || demo.publishableKey,
    name: name ?? demo.name,
    address: address ?? demo.address ?? null,
  };
};
