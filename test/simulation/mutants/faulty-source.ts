import { registerHooks } from 'node:module';
import type { Mutant } from './mutant.ts';

const root = new URL('../../../', import.meta.url).href;

/** Returns the source with a mutant's fault. Throws if its text does not occur exactly once. */
export const withMutant = ({ name, file, find, replace }: Mutant, source: string): string => {
  const parts = source.split(find);
  if (parts.length !== 2) throw new Error(`The place of the mutant "${name}" is ${parts.length - 1} times in ${file}.`);
  return parts.join(replace);
};

/**
 * Must be called before the source is imported. Returns a function from a module and a mutant to
 * the URL at which to import it. Only modules that lead to the fault are loaded again, under the
 * mutant's name; all others are shared.
 */
export const openFindings = (): ((file: string, mutant: Mutant | undefined) => string) => {
  const importers = new Map<string, Set<string>>();
  let fault: Mutant | undefined;
  let leading: ReadonlySet<string> = new Set();
  const addressOf = (url: string): string => (fault && leading.has(url) ? `${url}?${fault.name}` : url);
  registerHooks({
    resolve(specifier, context, next) {
      const { url, ...resolved } = next(specifier, context);
      if (url.startsWith(root)) importers.set(url, (importers.get(url) ?? new Set()).add(context.parentURL?.split('?')[0] ?? ''));
      return { ...resolved, url: addressOf(url) };
    },
    load(url, context, next) {
      const [file = '', name] = url.split('?');
      const loaded = next(file, context);
      return fault && name === fault.name && file === `${root}${fault.file}`
        ? { ...loaded, source: withMutant(fault, String(loaded.source)) }
        : loaded;
    },
  });
  return (file, mutant) => {
    const found = new Set(mutant ? [`${root}${mutant.file}`] : []);
    // `found` grows in this loop until it contains every importer.
    for (const one of found) for (const importer of importers.get(one) ?? []) found.add(importer);
    [fault, leading] = [mutant, found];
    return addressOf(`${root}${file}`);
  };
};
