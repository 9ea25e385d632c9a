import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { hostOfContainer, isFromHere, vouchFor } from '../../../local/gateway/guard.ts';

/** The format of Linux in a container with one network. */
const routes = `Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
eth0	00000000	010011AC	0003	0	0	0	00000000	0	0	0
eth0	000011AC	00000000	0001	0	0	0	0000FFFF	0	0	0
`;

describe('in a container', () => {
  test('the machine that runs it is the default gateway', () => {
    expect(hostOfContainer(routes, true)).toBe('172.17.0.1');
    expect(hostOfContainer('Iface	Destination	Gateway\n', true)).toBeUndefined();
  });

  test('outside a container the default gateway is a stranger', () => {
    expect(hostOfContainer(routes, false)).toBeUndefined();
  });

  test('only a connection that was vouched for counts as one from here, and only for names of this machine', () => {
    const from = (socket: Socket, host: string) => isFromHere({ socket, headers: { host } } as IncomingMessage);
    const [known, stranger] = [new Socket(), new Socket()];
    vouchFor(known);
    expect([from(known, 'localhost:4000'), from(known, 'us.localhost:4000'), from(stranger, 'localhost:4000')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(from(known, 'rebound.example.com')).toBe(false);
  });
});
