import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';

/** The beginning of a body as it came, and the headers that say how to read it. */
export interface RawBody {
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly bytes: Uint8Array;
}

/** Most encodings of a body that are undone, one after another. */
const maxEncodings = 3;

/** Output is made in pieces of this size, so that a small body that becomes large is stopped early. */
const chunkSize = 1_024;
// The beginning of a body ends anywhere, which is no error.
const gzip = { chunkSize, finishFlush: constants.Z_SYNC_FLUSH };

/** Some servers send `deflate` without the header of zlib, whose first two bytes are a multiple of 31. */
const isZlib = ([first = 0, second = 0]: Uint8Array): boolean => (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Transform>> = {
  gzip: () => createGunzip(gzip),
  'x-gzip': () => createGunzip(gzip),
  deflate: (bytes) => (isZlib(bytes) ? createInflate(gzip) : createInflateRaw(gzip)),
  br: () => createBrotliDecompress({ chunkSize, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdDecompress({ chunkSize, finishFlush: constants.ZSTD_e_flush }),
};

/** Returns the first bytes of what the stream makes of the input; as much as it made if it then fails. */
const decompress = (stream: Transform, bytes: Uint8Array, max: number): Promise<Uint8Array> =>
  new Promise((resolve) => {
    const parts: Buffer[] = [];
    let length = 0;
    const end = (): void => {
      stream.destroy();
      resolve(Buffer.concat(parts).subarray(0, max));
    };
    stream.on('data', (part: Buffer) => {
      parts.push(part);
      length += part.length;
      if (length >= max) end();
    });
    stream.on('end', end).on('error', end);
    stream.end(bytes);
  });

const undecodedBody = (header: string, value: string): Uint8Array =>
  Buffer.from(`(The body is not shown, because its ${header} "${value.slice(0, 100)}" cannot be decoded.)`);

/** Returns the label of a character set in a Content-Type; undefined without one. */
const charsetOf = (contentType = ''): string | undefined => /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];

/**
 * Returns the beginning of a body as UTF-8, at most `max` bytes: decompressed and converted as the
 * headers say. Otherwise returns a sentence that names the header. However much the body would become,
 * only about `max` bytes are made.
 */
export const readableBody = async ({ contentType, contentEncoding = '', bytes }: RawBody, max: number): Promise<Uint8Array> => {
  const encodings = contentEncoding
    .toLowerCase()
    .split(',')
    .flatMap((one) => (['', 'identity'].includes(one.trim()) ? [] : [one.trim()]));
  let decoded = bytes;
  if (bytes.length > 0 && encodings.length > maxEncodings) return undecodedBody('Content-Encoding', contentEncoding);
  // Encodings are listed in the order in which they were applied.
  for (const encoding of encodings.reverse()) {
    const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
    const input = decoded;
    if (input.length === 0) return input;
    decoded = decoder ? await decompress(decoder(input), input, max) : new Uint8Array();
    if (decoded.length === 0) return undecodedBody('Content-Encoding', contentEncoding);
  }
  const charset = charsetOf(contentType);
  if (charset === undefined || /^utf-?8$/i.test(charset)) return decoded.subarray(0, max);
  try {
    return Buffer.from(new TextDecoder(charset).decode(decoded, { stream: true })).subarray(0, max);
  } catch {
    return undecodedBody('charset', charset);
  }
};
