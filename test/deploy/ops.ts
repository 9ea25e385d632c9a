import type { Region } from '../../shared/core/regions.ts';
import { mustRun } from './children.ts';
import { stackName } from './deploy.ts';
import type { Emulator } from './emulator.ts';

export type Ops = (action: string, input: unknown, account?: string) => Promise<any>;

/** Dashboard actions as an operator runs them: npm, the command, the Lambda API, the actions function of the stack. */
export const opsOf =
  (emulator: Emulator, region: Region): Ops =>
  async (action, input, account) => {
    const target = ['--region', region, '--stack', stackName(region), ...(account === undefined ? [] : ['--account', account])];
    const args = ['run', '--silent', 'ops', '--', action, ...target, '--json', JSON.stringify(input)];
    const { stdout } = await mustRun('npm', args, { env: emulator.env });
    return JSON.parse(stdout);
  };
