import { runFolder } from '../support/run-folder.ts';
import { startCommand } from './command.ts';

/** Folder of state that commands of tests keep between runs. */
export const stateHome = { XDG_STATE_HOME: process.env[runFolder] ?? '' };

/** One run of `ops listen` in this process. Resolves once it is ready, or has ended. */
export const startListener = async (port: number, ...args: readonly string[]) => {
  const running = await startCommand(['listen', '--port', String(port), ...args], /Ready!/, stateHome);
  return { ...running, secret: () => /whsec_\S+/.exec(running.stderr())?.[0] ?? '' };
};

export type Listener = Awaited<ReturnType<typeof startListener>>;
