import { setImmediate as turn } from 'node:timers/promises';
import type { Db } from '../../shared/table/client.ts';
import type { Execute } from './commands/execute.ts';

/** A document client as the stores use it. */
export type DocumentClient = Db['client'];

/** Returns operation and input of a command of the SDK: `TransactWrite` of a `TransactWriteCommand`. */
export const readCommand = (command: object): { readonly operation: string; readonly input: object } => ({
  operation: command.constructor.name.replace(/Command$/, ''),
  input: (command as { readonly input: object }).input,
});

/** Returns a client that passes each command on. The stores only call `send`. */
export const clientOf = (send: (operation: string, input: object) => Promise<object>): DocumentClient =>
  ({
    async send(command: object) {
      const { operation, input } = readCommand(command);
      return { $metadata: {}, ...(await send(operation, input)) };
    },
  }) as DocumentClient;

/** Maximum time that commands in a row keep timers and connections waiting. */
const longestStretchMs = 5;

/**
 * Returns a client whose commands execute in this process. A row of commands never waits, so it would
 * keep everything else in the process waiting; therefore it lets other work run now and then.
 */
export const embeddedClient = (execute: Execute): DocumentClient => {
  let lastTurnMs = 0;
  let turning: Promise<void> | undefined;
  return clientOf(async (operation, input) => {
    if (turning) await turning;
    else if (performance.now() - lastTurnMs > longestStretchMs) {
      turning = turn();
      await turning;
      turning = undefined;
      lastTurnMs = performance.now();
    }
    return execute(operation, input);
  });
};
