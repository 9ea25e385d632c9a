import ipaddr from 'ipaddr.js';
import type { DeliveryPolicy } from './policy.ts';

/**
 * IPv4 blocks that no delivery may reach: the whole IANA special-purpose registry, including
 * entries that are globally reachable.
 */
const forbiddenIpv4 = [
  '0.0.0.0/8', // this network, unspecified
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; holds Alibaba's metadata 100.100.100.200
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's platform address, public only in form
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; holds Oracle's metadata 192.0.0.192
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, limited broadcast
] as const;

/**
 * The only IPv6 block for public unicast. All other blocks are rejected: unspecified, loopback,
 * v4-compatible, v4-mapped, NAT64 (64:ff9b::/96, 64:ff9b:1::/48), discard-only, SRv6, ULA
 * (fd00:ec2::254 included), link-local, site-local, multicast, unallocated.
 */
const globalIpv6 = '2000::/3';

/** Blocks inside `globalIpv6` that no delivery may reach. */
const forbiddenIpv6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarking, AMT, AS112, ORCHID, DRIP
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: reaches any IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
] as const;

const loopback4 = ipaddr.IPv4.parseCIDR('127.0.0.0/8');
const loopback6 = ipaddr.IPv6.parseCIDR('::1/128');
const forbidden4 = forbiddenIpv4.map((block) => ipaddr.IPv4.parseCIDR(block));
const global6 = ipaddr.IPv6.parseCIDR(globalIpv6);
const forbidden6 = forbiddenIpv6.map((block) => ipaddr.IPv6.parseCIDR(block));

/** `::127.0.0.1` is v4-compatible; ipaddr.js reads it as v4-mapped. */
const misread = /^::\d+\./;

/**
 * Parses an address. Returns undefined for short, octal or hexadecimal IPv4 and for IPv6 with a
 * zone.
 */
const parse = (address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined => {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address);
  if (address.includes('%') || misread.test(address) || !ipaddr.IPv6.isValid(address)) return undefined;
  return ipaddr.IPv6.parse(address);
};

const isLoopback = (ip: ipaddr.IPv4 | ipaddr.IPv6): boolean => {
  if (ip instanceof ipaddr.IPv4) return ip.match(loopback4);
  return ip.match(loopback6) || (ip.isIPv4MappedAddress() && ip.toIPv4Address().match(loopback4));
};

/** Whether the address is `::1` or in 127.0.0.0/8, also in its IPv6-mapped form. */
export const isLoopbackAddress = (address: string): boolean => {
  const ip = parse(address);
  return ip !== undefined && isLoopback(ip);
};

/**
 * Whether a delivery may connect to the address, which has no brackets. Returns false if the text
 * is not an address.
 */
export const isAcceptableAddress = (address: string, policy: DeliveryPolicy): boolean => {
  const ip = parse(address);
  if (!ip) return false;
  if (policy.allowLoopback && isLoopback(ip)) return true;
  if (ip instanceof ipaddr.IPv4) return !forbidden4.some((block) => ip.match(block));
  return ip.match(global6) && !forbidden6.some((block) => ip.match(block));
};
