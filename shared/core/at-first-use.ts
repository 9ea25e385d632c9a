type Methods<Provider> = { readonly [Name in keyof Provider]: (...values: never[]) => Promise<unknown> };

/**
 * A provider that is opened when one of its methods is first called. A function loads a client of
 * AWS that it seldom needs, or one that its first request can wait for, with `open` and a dynamic
 * import: the build keeps such a module out of the cold start.
 */
export const atFirstUse = <Provider extends Methods<Provider>>(
  methods: Readonly<Record<keyof Provider, true>>,
  open: () => Promise<Provider>,
): Provider => {
  let opening: Promise<Provider> | undefined;
  const call = async (name: keyof Provider, values: never[]): Promise<unknown> => {
    opening ??= open();
    const provider = await opening.catch((error: unknown) => {
      opening = undefined; // the next call tries again
      throw error;
    });
    return provider[name](...values);
  };
  const names = Object.keys(methods) as (keyof Provider)[];
  return Object.fromEntries(names.map((name) => [name, (...values: never[]) => call(name, values)])) as unknown as Provider;
};
