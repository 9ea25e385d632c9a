import { isIP } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isAcceptableAddress } from '../../shared/webhooks/addresses.ts';
import { productionPolicy } from '../../shared/webhooks/policy.ts';
import { judgeUrl, maxUrlLength } from '../../shared/webhooks/url-rules.ts';
import { anyCharacter } from '../support/any-character.ts';
import { hostileUrls } from './hostile-urls.ts';

const loopbackPolicy = { ...productionPolicy, allowLoopback: true };

const reasons = {
  malformed: 'The URL must be a valid HTTPS URL.',
  long: 'The URL must have at most 2048 characters.',
  credentials: 'The URL must not carry credentials.',
  scheme: 'The URL must use HTTPS.',
  internal: 'The URL must not point at a private, internal, loopback, link-local or cloud-metadata address.',
};

describe('a webhook URL', () => {
  test.each([
    'https://hooks.example.com/bakery',
    'https://hooks.example.com',
    'https://hooks.example.com./bakery',
    'https://hooks.example.com:8443/a/b?c=d&e=f%20g',
    'https://hooks.example.com/a@b?to=c@d',
    'https://hooks.example.com/in#fragment',
    'HTTPS://Hooks.Example.COM/Bakery',
    'https://8.8.8.8/hook',
    'https://[2606:4700:4700::1111]/hook',
    'https://bäckerei.example/hook',
    'https://localhost.example.com/hook',
    'https://mylocalhost.com/hook',
    'https://internal.example.com/hook',
    'https://notlocal.example/hook',
    'https://10.0.0.1.example.com/hook',
  ])('the webhook URL %s is accepted', (text) => {
    expect(judgeUrl(text, productionPolicy)).toEqual({ ok: true, url: new URL(text) });
  });

  test.each(['a', '\u{1f370}'])('a webhook URL may have at most 2,048 characters, as %s', (character) => {
    const longest = `https://hooks.example.com/${character.repeat(maxUrlLength - 26)}`;
    expect([...longest]).toHaveLength(2048);
    expect(judgeUrl(longest, productionPolicy).ok).toBe(true);
    expect(judgeUrl(`${longest}a`, productionPolicy)).toEqual({ ok: false, reason: reasons.long });
  });

  test.each([
    ['nonsense', reasons.malformed],
    ['https://hooks.example.com/a b', reasons.malformed],
    ['ftp://hooks.example.com/', reasons.malformed],
    ['https://user@hooks.example.com/', reasons.credentials],
    ['https://@hooks.example.com/', reasons.credentials],
    ['http://hooks.example.com/', reasons.scheme],
    ['http://127.0.0.1/', reasons.scheme],
    ['https://127.0.0.1/', reasons.internal],
    ['https://vault.internal/', reasons.internal],
    ['https://intranet/', reasons.internal],
  ])('a webhook URL that is %s is rejected with its own reason', (text, reason) => {
    expect(judgeUrl(text, productionPolicy)).toEqual({ ok: false, reason });
  });

  test('a webhook URL that is accepted is HTTPS, has no credentials, is short enough and is not a forbidden address', () => {
    const label = fc.constantFrom(
      '127',
      '0x7f',
      '0177',
      '1',
      '8',
      'localhost',
      'example',
      'com',
      'internal',
      '[::1]',
      '@',
      ':',
      '.',
      '/',
      '\\',
      '?',
      '#',
      ' ',
      '１',
      'a',
    );
    const scheme = fc.constantFrom('https://', 'http://', 'https:', 'HTTPS://', '');
    const anyText = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.tuple(scheme, fc.array(label, { maxLength: 12 })).map(([head, tail]) => head + tail.join('')),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        const judged = judgeUrl(text, productionPolicy);
        if (!judged.ok) return;
        const { protocol, username, password, hostname } = judged.url;
        expect([protocol, username, password]).toEqual(['https:', '', '']);
        expect([...text].length).toBeLessThanOrEqual(maxUrlLength);
        expect(hostname).toContain(hostname.startsWith('[') ? ':' : '.');
        const literal = hostname.replace(/^\[|\]$/g, '');
        if (isIP(literal) !== 0) expect(isAcceptableAddress(literal, productionPolicy)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test('a webhook URL is accepted or rejected as its IPv4 address is, in every spelling of the address', () => {
    const spellings: readonly ((octets: readonly number[], value: number) => string)[] = [
      (octets) => octets.join('.'),
      (_, value) => String(value),
      (_, value) => `0x${value.toString(16)}`,
      (_, value) => `0${value.toString(8)}`,
      (octets) => octets.map((octet) => `0x${octet.toString(16)}`).join('.'),
      (octets) => octets.map((octet) => `0${octet.toString(8)}`).join('.'),
      ([a = 0], value) => `${a}.${value % 2 ** 24}`,
      ([a = 0, b = 0], value) => `${a}.${b}.${value % 2 ** 16}`,
      (octets) => `${octets.join('.')}.`,
      (octets) => octets.join('。').replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    ];
    const anyIpv4 = fc.oneof(fc.ipV4(), fc.constantFrom('10.1.2.3', '127.0.0.1', '169.254.169.254', '192.168.0.1', '0.0.0.0', '224.1.1.1'));
    fc.assert(
      fc.property(anyIpv4, fc.constantFrom(...spellings), (address, spell) => {
        const octets = address.split('.').map(Number);
        const value = octets.reduce((sum, octet) => sum * 256 + octet, 0);
        const judged = judgeUrl(`https://${spell(octets, value)}/hook`, productionPolicy);
        expect(judged.ok).toBe(isAcceptableAddress(address, productionPolicy));
        if (judged.ok) expect(judged.url.hostname).toBe(address);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a webhook URL where loopback is allowed', () => {
  test.each(hostileUrls.filter(({ loopback }) => loopback))('the webhook URL $url is accepted if loopback is allowed', ({ url }) => {
    expect(judgeUrl(url.replace('{port}', '8443'), loopbackPolicy).ok).toBe(true);
  });

  test('a webhook URL where loopback is allowed may be plain HTTP only for loopback hosts', () => {
    expect(judgeUrl('http://hooks.localhost:4000/hook', loopbackPolicy).ok).toBe(true);
    expect(judgeUrl('http://hooks.example.com/hook', loopbackPolicy)).toEqual({ ok: false, reason: reasons.scheme });
    expect(judgeUrl('http://8.8.8.8/hook', loopbackPolicy)).toEqual({ ok: false, reason: reasons.scheme });
  });
});
