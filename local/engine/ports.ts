import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** A port of the address that was free a moment ago; rejects if the system does not have the address. */
const freePortOf = async (host: string): Promise<Address> => {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system gave no port number.');
  return { host, port: address.port };
};

/** A free address of 127.0.0.1. The caller must be ready to try another, because it may be taken by now. */
export const freePort = (): Promise<Address> => freePortOf('127.0.0.1');

/**
 * A free address somewhere in 127/8, which no page of a browser finds by trying. Linux has all of these addresses; where there is only
 * 127.0.0.1, it is that one.
 */
export const freeHiddenPort = (): Promise<Address> =>
  freePortOf(`127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}`).catch(freePort);
