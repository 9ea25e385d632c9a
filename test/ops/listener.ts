import { runFolder } from '../support/run-folder.ts';
import { type Running, startCommand } from './command.ts';

/** One run of `ops listen` in this process. */
export interface Listener extends Running {
  secret(): string;
}

/** Folder of state that commands of tests keep between runs. */
export const stateHome = { XDG_STATE_HOME: process.env[runFolder] ?? '' };

/** Resolves once it is ready, or has ended. */
export const startListener = async (port: number, ...args: readonly string[]): Promise<Listener> => {
  const running = await startCommand(['listen', '--port', String(port), ...args], /Ready!/, stateHome);
  return { ...running, secret: () => /whsec_\S+/.exec(running.stderr())?.[0] ?? '' };
};
