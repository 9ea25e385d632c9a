import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { openMemory, type State } from '../../local/engine/state.ts';
import { type Runtime, startRuntime } from '../../local/runtime.ts';
import { itemsIn } from '../support/engine.ts';
import { startCommand } from './command.ts';
import { type Front, startFront } from './front.ts';
import { type Stack, type StackOptions, startStack } from './stack.ts';

/** Output of a check that ended. */
export const checkedOf = (code: number, stdout: string, stderr: string) => {
  const [, error] = /^(\{.*)/ms.exec(stderr) ?? [];
  return {
    code,
    links: [...stdout.matchAll(/^(\w+) +ok {2}/gm)].map(([, name = '']) => name),
    stdout,
    /** Message of the error; empty without an error. */
    message: error === undefined ? '' : JSON.parse(error).error.message,
    /** The accounts that were opened. */
    accounts: [...stderr.matchAll(/^The account (acct_\w+) is erased at the end\.$/gm)].map(([, id = '']) => id),
  };
};

/** Returns the keys of all items in the region's table. Rate buckets are in another table. */
const keysLeft = (state: State): string[] =>
  itemsIn(state, 'bakery-us')
    .map(({ pk, sk }) => `${pk} ${sk}`)
    .filter((key) => !key.startsWith('hbt#'))
    .sort();

/**
 * A running region for `ops check`, as the local service and as a stack with faulty requests; sets
 * up and tears down.
 */
export const useChecks = () => {
  let state: State;
  let runtime: Runtime;
  let front: Front;
  let stack: Stack | undefined;
  const logged: Record<string, any>[] = [];

  beforeAll(async () => {
    state = openMemory();
    const log = (line: object) => void logged.push(line);
    // A retry that was arranged falls due after 3 s.
    runtime = await startRuntime({ regions: ['us'], allowLoopbackWebhooks: true, timeScale: 100, state, log });
    front = await startFront(runtime.urls.us);
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' });
  });
  beforeEach(() => {
    front.fault = () => undefined;
    logged.length = 0;
  });
  afterEach(() => stack?.stop());
  afterAll(async () => {
    await front.stop();
    await runtime.stop();
    state.close();
  });

  const useStack = async (options: StackOptions = {}): Promise<string[]> => {
    await stack?.stop();
    stack = await startStack(runtime, 'us', { apiUrl: front.url, ...options });
    process.env['AWS_ENDPOINT_URL'] = stack.url;
    return ['--stack', 'BakeryCommerce-us'];
  };

  /** Runs the check to its end. */
  const runCheck = async (...args: string[]) => {
    const running = await startCommand(['check', ...args], /(?!)/);
    return checkedOf(await running.ended, running.lines().join('\n'), running.stderr());
  };

  /** Expects only the tombstone and the erasure mark of each account. */
  const expectErased = async (accounts: readonly string[], count = 1): Promise<void> => {
    expect(accounts).toHaveLength(count);
    const keys = keysLeft(state);
    for (const account of accounts) {
      expect(keys.filter((key) => key.includes(account))).toEqual([`acc#${account} account`, `era#${account} *`]);
      expect(await runtime.invokeAction('us', { action: 'account.get', account })).toMatchObject({
        result: { status: 'closed', name: '' },
      });
    }
    expect(keys.filter((key) => !/^(acc#acct_\w+ account|era#acct_\w+ \*)$/.test(key))).toEqual([]);
  };

  return {
    get runtime() {
      return runtime;
    },
    get front() {
      return front;
    },
    /** Lines that the functions wrote since the test began. */
    logged,
    useStack,
    runCheck,
    expectErased,
  };
};
