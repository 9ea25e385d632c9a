import { describe, expect, test } from '@jest/globals';
import { readOptions, UsageError } from './options.ts';

describe('options of the simulator', () => {
  test.each([
    [[], { mode: 'play', seed: undefined, end: { runs: 100 }, level: undefined }],
    [['--seed', '7'], { seed: 7, end: { runs: 1 } }],
    [['--seed', '7', '--runs', '3', '--faults', 'few', '--workers', '1'], { seed: 7, end: { runs: 3 }, level: 'few', workers: 1 }],
    [['--seed=0', '--trace'], { seed: 0, trace: true }],
    [['--minutes', '2'], { seed: undefined, end: { minutes: 2 } }],
    [['--seed', '7', '--accidents', 'few'], { seed: 7, level: 'few' }],
    [['--resume', 'kept.json', '--until-faults', '1000000'], { state: 'kept.json', end: { faults: 1_000_000 } }],
    [['--seed', '7', '--resume', 'kept.json'], { seed: 7, end: { runs: 100 } }],
    [['--replay', 'seed-7.json'], { mode: 'replay', file: 'seed-7.json', trace: false }],
    [['--replay', 'seed-7.json', '--trace'], { trace: true }],
    [['--mutants', '--workers', '3'], { mode: 'mutants', refresh: false, workers: 3 }],
    [['--refresh-mutants'], { mode: 'mutants', refresh: true }],
  ])('the simulator accepts the options %j', (args, expected) => {
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
    [['--faults', 'lots'], '--faults must be one of none, few, many, ghosts, and "lots" is none.'],
    [['--faults', 'toString'], '--faults must be one of'],
    [['--minutes', '0'], '--minutes must be'],
    [['--workers', 'two'], '--workers must be'],
    [['--until-faults', '1e6'], '--until-faults must be'],
    [['--runs', '5', '--minutes', '2'], '--runs and --minutes contradict each other.'],
    [['--minutes', '2', '--until-faults', '5'], '--minutes and --until-faults contradict each other.'],
    [['--replay', 'a.json', '--seed', '7'], '--replay and --seed contradict each other.'],
    [['--mutants', '--faults', 'few'], '--mutants and --faults contradict each other.'],
    [['--refresh-mutants', '--trace'], '--refresh-mutants and --trace contradict each other.'],
    [['--resume', 'a.json', '--mutant', 'six-slots'], '--resume and --mutant contradict each other.'],
    [['--resume', 'a.json', '--runs', '1', '--trace'], '--resume and --trace contradict each other.'],
    [['--trace'], '--trace is of one scenario'],
    [['--resume'], "Option '--resume <value>' argument missing"],
    [['--mutant', 'x-man'], '--mutant must be one of'],
    [['--speed', '1'], "Unknown option '--speed'"],
    [['7'], 'Unexpected argument'],
  ])('the simulator rejects the options %j in one sentence', (args, words) => {
    expect(() => readOptions(args)).toThrow(UsageError);
    expect(() => readOptions(args)).toThrow(words);
  });
});
