import { registerHooks } from 'node:module';
import type { Mutant } from './mutants.ts';

const root = new URL('../../../', import.meta.url);

/** Has the source, as it is loaded from here on, hold the mutant's fault; throws where the place is not found exactly once. */
export const mutate = ({ name, file, find, replace }: Mutant): void => {
  const target = new URL(file, root).href;
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (url !== target) return loaded;
      const parts = String(loaded.source).split(find);
      if (parts.length !== 2) throw new Error(`The place of the mutant "${name}" is ${parts.length - 1} times in ${file}.`);
      return { ...loaded, source: parts.join(replace) };
    },
  });
};
