import type { Mutant } from './mutant.ts';

/** Faults that an operator would heal: dead letters are redriven, so no sweep is needed. */
export const unattended: readonly Mutant[] = [
  {
    name: 'sweep-leaves-first-attempts-to-the-queue',
    file: 'shared/table/deliveries.ts',
    find: 'const refs = Items.map(decodeDelivery).map(attemptOf);',
    replace: 'const refs = Items.map(decodeDelivery).filter(({ run, attempts }) => run > 1 || attempts > 0).map(attemptOf);',
    seed: 10,
    invariant: 3,
  },
  {
    name: 'watched-after-its-attempt',
    file: 'functions/deliver/app.ts',
    find: 'await watchRepeated(services, unfinished);\n          await deliverToEndpoint(services, unfinished);',
    replace: 'await deliverToEndpoint(services, unfinished);\n          await watchRepeated(services, unfinished);',
    seed: 10,
    invariant: 3,
  },
  {
    name: 'first-attempt-never-due',
    file: 'functions/deliver/app.ts',
    find: 'isRepeated && isFirst(message)',
    replace: 'isRepeated && !isFirst(message)',
    seed: 10,
    invariant: 3,
  },
  {
    name: 'repeated-if-there-are-two-copies',
    file: 'functions/deliver/app.ts',
    find: 'isRepeated: Number(attributes.ApproximateReceiveCount) > 1 };',
    replace: 'isRepeated: messages.has(key) };',
    seed: 10,
    invariant: 3,
  },
];
