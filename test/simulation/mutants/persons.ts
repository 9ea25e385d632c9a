import type { Mutant } from './mutant.ts';

export const persons: readonly Mutant[] = [
  {
    name: 'erasure-reads-one-page',
    file: 'functions/actions/customer.erase.ts',
    find: 'stage: next ? erasure.stage : erasure.stage + 1,\n    position: next,',
    replace: 'stage: erasure.stage + 1,\n    position: null,',
    seed: 35,
    invariant: 11,
  },
  {
    name: 'late-change-tells',
    file: 'functions/fan-out/record.ts',
    find: '    removeErasedPersons(event, store),\n',
    replace: '',
    seed: 59,
    invariant: 11,
  },
  {
    name: 'erasure-ends-while-paying',
    file: 'functions/actions/customer.erase.ts',
    find: 'return erasure.held > 0 ? ',
    replace: 'return erasure.held > 1 ? ',
    seed: 93,
    invariant: 11,
  },
];
