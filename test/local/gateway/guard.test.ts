import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { hostOfContainer, isFromHere } from '../../../local/gateway/guard.ts';

/** The format of Linux in a container with one network. */
const routes = `Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
eth0	00000000	010011AC	0003	0	0	0	00000000	0	0	0
eth0	000011AC	00000000	0001	0	0	0	0000FFFF	0	0	0
`;

describe('containers', () => {
  test('the machine that runs a container is its default gateway', () => {
    expect(hostOfContainer(routes, true)).toBe('172.17.0.1');
    expect(hostOfContainer('Iface	Destination	Gateway\n', true)).toBeUndefined();
  });

  test('the default gateway is a stranger outside a container', () => {
    expect(hostOfContainer(routes, false)).toBeUndefined();
  });

  test("only the container's host counts as this machine, and only for names of this machine", () => {
    const from = (remoteAddress: string, host: string) =>
      isFromHere({ socket: { remoteAddress }, headers: { host } } as IncomingMessage, '172.17.0.1');
    expect([
      from('172.17.0.1', 'localhost:4000'),
      from('::ffff:172.17.0.1', 'us.localhost:4000'),
      from('172.17.0.2', 'localhost:4000'),
      from('172.17.0.1', 'rebound.example.com'),
    ]).toEqual([true, true, false, false]);
  });
});
