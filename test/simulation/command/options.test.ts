import { describe, expect, test } from '@jest/globals';
import { readOptions, UsageError } from './options.ts';

describe('options of the simulator', () => {
  test.each([
    [[], { seed: 1, runs: 100, level: 'many' }],
    [['--seed', '7'], { seed: 7, runs: 1 }],
    [['--seed', '7', '--runs', '3', '--accidents', 'few'], { seed: 7, runs: 3, level: 'few' }],
    [['--seed=0', '--trace'], { seed: 0, trace: true }],
  ])('%j', (args, expected) => {
    expect(readOptions(args)).toMatchObject(expected);
  });

  test.each([
    [['--seed', 'seven'], '--seed must be a whole number from 0 to 9007199254740991, and "seven" is none.'],
    [['--seed=-1'], '--seed must be'],
    [['--seed', '1.5'], '--seed must be'],
    [['--seed', '9007199254740992'], '--seed must be'],
    [['--seed', ''], '--seed must be'],
    [['--runs', '0'], '--runs must be a whole number from 1'],
    [['--seed', '9007199254740991', '--runs', '2'], 'beyond the last seed'],
    [['--accidents', 'lots'], '--accidents must be one of none, few, many, ghosts, and "lots" is none.'],
    [['--accidents', 'toString'], '--accidents must be one of'],
    [['--mutant', 'x-man'], '--mutant must be one of'],
    [['--speed', '1'], "Unknown option '--speed'"],
    [['7'], 'Unexpected argument'],
  ])('%j is refused in a sentence', (args, words) => {
    expect(() => readOptions(args)).toThrow(UsageError);
    expect(() => readOptions(args)).toThrow(words);
  });
});
