import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { startReceiver } from '../support/receiver.ts';
import { shared } from '../support/shared.ts';
import { deliveryTo, newSender } from './sending.ts';

// A merchant reads `last_response.body` of the delivery log to find the fault.

const receiver = shared(startReceiver);

/** Returns the stored body of a failed attempt as text. */
const bodyOf = async (body: Uint8Array | string, headers: Readonly<Record<string, string>>): Promise<string> => {
  const { url } = receiver.hook({ status: 500, headers, body });
  const { receiverResponse } = await newSender().send(deliveryTo(0, { url }));
  return Buffer.from(receiverResponse?.body ?? '').toString();
};

const page = '<h1>Ofen ausgefallen: bäckerei.php line 7</h1>';
const latin1 = Buffer.from(page, 'latin1');
const html = 'text/html';

test.each<[string, Uint8Array, Record<string, string>]>([
  ['gzip', gzipSync(page), { 'content-encoding': 'gzip' }],
  ['GZIP in other case', gzipSync(page), { 'content-encoding': 'X-GZIP' }],
  ['deflate', deflateSync(page), { 'content-encoding': 'deflate' }],
  ['deflate without its header', deflateRawSync(page), { 'content-encoding': 'deflate' }],
  ['br', brotliCompressSync(page), { 'content-encoding': 'br' }],
  ['zstd', zstdCompressSync(page), { 'content-encoding': 'zstd' }],
  ['two encodings', brotliCompressSync(gzipSync(page)), { 'content-encoding': 'gzip, br' }],
  ['identity', Buffer.from(page), { 'content-encoding': 'identity' }],
  ['Latin-1', latin1, { 'content-type': `${html}; charset=ISO-8859-1` }],
  ['Latin-1 in quotes', latin1, { 'content-type': `${html}; charset="latin1"` }],
  ['UTF-16', Buffer.from(page, 'utf16le'), { 'content-type': `${html};charset=utf-16le` }],
  ['gzip of Latin-1', gzipSync(latin1), { 'content-encoding': 'gzip', 'content-type': `${html}; charset=windows-1252` }],
])('the body of a failed attempt is decoded as its headers say: %s', async (_, body, headers) => {
  expect(await bodyOf(body, headers)).toBe(page);
});

test.each<[string, Uint8Array, Record<string, string>, string]>([
  ['an unknown encoding', gzipSync(page), { 'content-encoding': 'compress' }, 'its Content-Encoding "compress"'],
  ['a name of an object', gzipSync(page), { 'content-encoding': 'constructor' }, 'its Content-Encoding "constructor"'],
  ['bytes that are not compressed', Buffer.from(page), { 'content-encoding': 'gzip' }, 'its Content-Encoding "gzip"'],
  ['more encodings than any server uses', gzipSync(page), { 'content-encoding': 'gzip,gzip,gzip,gzip' }, 'its Content-Encoding'],
  ['an unknown character set', latin1, { 'content-type': `${html}; charset=klingon` }, 'its charset "klingon"'],
])('a body that cannot be decoded says so: %s', async (_, body, headers, cause) => {
  expect(await bodyOf(body, headers)).toContain(`(The body is not shown, because ${cause}`);
});

const incompressible = Buffer.from(Array.from({ length: 20_000 }, (_, i) => 33 + ((i * i * 7 + i * 31) % 90)));
test.each<[string, Uint8Array, string]>([
  ['gzip', gzipSync(Buffer.alloc(50_000_000, 'a')), 'gzip'],
  ['br', brotliCompressSync(Buffer.alloc(50_000_000, 'a')), 'br'],
  ['zstd', zstdCompressSync(Buffer.alloc(50_000_000, 'a')), 'zstd'],
  ['a bomb in a bomb', gzipSync(gzipSync(Buffer.alloc(50_000_000, 'a'))), 'gzip, gzip'],
  ['a page that is cut off within its compressed bytes', gzipSync(incompressible), 'gzip'],
])('a compressed body becomes at most 1,000 bytes, however large it is: %s', async (_, body, encoding) => {
  const before = process.memoryUsage().arrayBuffers;
  expect(await bodyOf(body, { 'content-encoding': encoding })).toHaveLength(1_000);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
});

test('an empty body with an encoding stays empty', async () => {
  expect(await bodyOf('', { 'content-encoding': 'gzip' })).toBe('');
});
