import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { ApiError, invalidValue } from '../shared/core/errors.ts';
import { portOf } from './arguments.ts';
import type { AccountChoice } from './local-account.ts';

const common = {
  region: { type: 'string' },
  account: { type: 'string' },
  port: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** The arguments of a command for the local service: its own options, and those that choose an account; throws `invalid_value`. */
export const readOptions = <Own extends ParseArgsOptionsConfig>(command: string, args: readonly string[], own: Own) => {
  if (args.some((arg) => arg === '--stack' || arg.startsWith('--stack=')))
    throw invalidValue('stack', `${command} is for the local service, never for a deployed stack.`);
  const { values, positionals } = (() => {
    try {
      return parseArgs({ args: [...args], allowPositionals: true, options: { ...common, ...own } });
    } catch (error) {
      throw new ApiError('invalid_value', error instanceof Error ? error.message : String(error));
    }
  })();
  const { region, account, port, help } = values as { region?: string; account?: string; port?: string; help?: boolean };
  return {
    help: help === true,
    values,
    positionals,
    choice(): AccountChoice {
      return { port: portOf(port), ...(region === undefined ? {} : { region }), ...(account === undefined ? {} : { account }) };
    },
  };
};
