import { BlockList } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isAcceptableAddress, isLoopbackAddress } from '../../shared/webhooks/addresses.ts';
import { productionPolicy } from '../../shared/webhooks/policy.ts';

const loopbackPolicy = { ...productionPolicy, allowLoopback: true };

/**
 * The first and last address of each forbidden block, and the public addresses next to it, if any.
 */
type Block = readonly [first: string, last: string, before: string | undefined, after: string | undefined];

const blocks4: readonly Block[] = [
  ['0.0.0.0', '0.255.255.255', undefined, '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'],
  ['192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'],
  ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['192.175.48.0', '192.175.48.255', '192.175.47.255', '192.175.49.0'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0', '255.255.255.255', '223.255.255.255', undefined],
];

const blocks6: readonly Block[] = [
  ['::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', undefined, '2000::'],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::', '2001:200::'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff::', '2001:db9::'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff::', '2003::'],
  ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff', '2620:4f:7fff::', '2620:4f:8001::'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::', '3fff:1000::'],
  ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', undefined],
];

describe('the address rule', () => {
  test.each([...blocks4, ...blocks6])('the address rule rejects %s to %s but no address next to them', (first, last, before, after) => {
    expect(isAcceptableAddress(first, productionPolicy)).toBe(false);
    expect(isAcceptableAddress(last, productionPolicy)).toBe(false);
    if (before !== undefined) expect(isAcceptableAddress(before, productionPolicy)).toBe(true);
    if (after !== undefined) expect(isAcceptableAddress(after, productionPolicy)).toBe(true);
  });

  test('the address rule agrees with an independent block list for any address', () => {
    const list = new BlockList();
    for (const [first, last] of blocks4) list.addRange(first, last, 'ipv4');
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isAcceptableAddress(address, productionPolicy)).toBe(!list.check(address, 'ipv4'));
      }),
      { numRuns: 2000 },
    );
    const list6 = new BlockList();
    for (const [first, last] of blocks6) list6.addRange(first, last, 'ipv6');
    const anyIpv6 = fc
      .tuple(fc.constantFrom('2000', '2001', '2002', '2620', '2a00', '3fff', '4000', 'fd00', '64'), fc.ipV6())
      .map(([head, tail]) => {
        const groups = new URL(`http://[${tail}]/`).hostname.slice(1, -1);
        return groups.startsWith('::') ? groups : groups.replace(/^[^:]*/, head);
      });
    fc.assert(
      fc.property(fc.oneof(anyIpv6, fc.ipV6()), (address) => {
        expect(isAcceptableAddress(address, productionPolicy)).toBe(!list6.check(address, 'ipv6'));
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:a9fe:a9fe',
    '::8.8.8.8',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::808:808',
    '2002:808:808::1',
    '2001:0:808:808::1',
    '100::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'febf::1',
    'fec0::1',
    'ff02::1',
  ])('the address rule rejects %s, which contains an IPv4 address or is not global unicast', (address) => {
    expect(isAcceptableAddress(address, productionPolicy)).toBe(false);
  });

  test.each(['8.8.8.8', '52.95.110.1', '2600:1f18::1', '2a00:1450:4001::1', '2606:4700:4700::1111'])(
    'the address rule accepts the public address %s',
    (address) => {
      expect(isAcceptableAddress(address, productionPolicy)).toBe(true);
    },
  );

  test.each([
    '',
    ' ',
    'example.com',
    '8.8.8',
    '8.8.8.8.8',
    '08.8.8.8',
    '0x8.8.8.8',
    '134744072',
    '8.8.8.8 ',
    '[2600::1]',
    '2600::1%eth0',
    '2600:::1',
    '8.8.8.256',
  ])('the address rule rejects "%s", which is not a plain address', (address) => {
    expect(isAcceptableAddress(address, loopbackPolicy)).toBe(false);
    expect(isLoopbackAddress(address)).toBe(false);
  });
});

describe('a policy that allows loopback', () => {
  test.each(['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
    'a policy that allows loopback accepts %s',
    (address) => {
      expect(isLoopbackAddress(address)).toBe(true);
      expect(isAcceptableAddress(address, loopbackPolicy)).toBe(true);
      expect(isAcceptableAddress(address, productionPolicy)).toBe(false);
    },
  );

  test('a policy that allows loopback changes nothing for any other address', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
        fc.pre(!isLoopbackAddress(address));
        expect(isAcceptableAddress(address, loopbackPolicy)).toBe(isAcceptableAddress(address, productionPolicy));
      }),
    );
    for (const address of [
      '0.0.0.0',
      '::',
      '::ffff:0.0.0.0',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '10.0.0.1',
      '::ffff:10.0.0.1',
      'fe80::1',
    ])
      expect(isAcceptableAddress(address, loopbackPolicy)).toBe(false);
  });
});
