import type { Region } from '../../shared/core/config.ts';
import { mustRun } from './children.ts';
import type { Emulator } from './emulator.ts';

export type Ops = (action: string, input: unknown, account?: string) => Promise<any>;

/**
 * Runs dashboard actions as an operator does: npm, the command, the Lambda API, the stack's actions
 * function.
 */
export const opsOf =
  (emulator: Emulator, region: Region, stack: string): Ops =>
  async (action, input, account) => {
    const target = ['--region', region, '--stack', stack, ...(account === undefined ? [] : ['--account', account])];
    const args = ['run', '--silent', 'ops', '--', action, ...target, '--json', JSON.stringify(input)];
    const { stdout } = await mustRun('npm', args, { env: emulator.env });
    return JSON.parse(stdout);
  };
