/** What the local service tells its own pages: the region whose API stands beside them, and its demo account. */
export interface Demo {
  readonly region: string;
  readonly account: {
    readonly name: string;
    readonly secretKey: string;
    readonly publishableKey: string;
    readonly product: string;
  } | null;
  /** YYYY-MM-DD */
  readonly openDay: string;
}

export const readDemo = async (): Promise<Demo> => (await fetch('/docs/demo.json', { cache: 'no-store' })).json();
