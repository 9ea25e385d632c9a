import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createStatusReader } from '../../shared/webhooks/status-line.ts';
import { deliveryTo, failed, newSender, ok, rawServer, succeeded } from './sending.ts';
import { onRequest } from './servers.ts';

const lines = (...all: string[]): string => all.map((line) => `${line}\r\n`).join('');
const early = (...headers: string[]): string => lines('HTTP/1.1 103 Early Hints', ...headers, '');

/** Bytes of a receiver (Latin-1), and the status that decides; undefined without a whole final status line. */
const responses: Readonly<Record<string, readonly [bytes: string, status: number | undefined]>> = {
  'a plain response': [ok, 200],
  'a header folded over several lines': [
    lines('HTTP/1.1 200 OK', "Content-Security-Policy: default-src 'self';", '  img-src *;', '\tframe-src *', 'Content-Length: 0', ''),
    200,
  ],
  'a folded first header': [lines('HTTP/1.1 200 OK', ' folded', 'Content-Length: 0', ''), 200],
  'a header without a colon': [lines('HTTP/1.1 201 Created', 'garbage', 'Content-Length: 0', ''), 201],
  'a header with a space in its name': [lines('HTTP/1.1 204 No Content', 'Bad Name: x', ''), 204],
  'a header with a NUL': [lines('HTTP/1.1 200 OK', 'X: a\0b', 'Content-Length: 0', ''), 200],
  'a header of 40,000 characters': [lines('HTTP/1.1 200 OK', `X: ${'x'.repeat(40_000)}`, 'Content-Length: 0', ''), 200],
  'two lengths': [lines('HTTP/1.1 200 OK', 'Content-Length: 1', 'Content-Length: 2', '', 'ok'), 200],
  'a length that is no number': [lines('HTTP/1.1 500 Oh', 'Content-Length: two', ''), 500],
  'a length and chunks': [lines('HTTP/1.1 200 OK', 'Content-Length: 5', 'Transfer-Encoding: chunked', '', '0', ''), 200],
  'a malformed chunk': [lines('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', 'zz', 'ok'), 200],
  'an unknown transfer encoding': [lines('HTTP/1.1 200 OK', 'Transfer-Encoding: gzip', '', 'x'), 200],
  'gzip that is none': [lines('HTTP/1.1 200 OK', 'Content-Encoding: gzip', 'Content-Length: 4', '', 'zzzz'), 200],
  'a body shorter than its length': [`${lines('HTTP/1.1 202 Accepted', 'Content-Length: 100', '')}short`, 202],
  'nothing after the status line': ['HTTP/1.1 200 OK\r\n', 200],
  'half a header': ['HTTP/1.1 410 Gone\r\nConten', 410],
  'HTTP/1.0': ['HTTP/1.0 200 OK\r\n\r\n', 200],
  'no reason': [lines('HTTP/1.1 200', 'Content-Length: 0', ''), 200],
  'an empty reason': [lines('HTTP/1.1 200 ', 'Content-Length: 0', ''), 200],
  'a reason beyond ASCII': [lines('HTTP/1.1 200 D\u00e9j\u00e0', 'Content-Length: 0', ''), 200],
  'a long reason': [lines(`HTTP/1.1 404 ${'x'.repeat(5_000)}`, 'Content-Length: 0', ''), 404],
  'lines that end with LF': ['HTTP/1.1 200 OK\nContent-Length: 0\n\n', 200],
  'empty lines before the status line': [`\r\n\r\n${ok}`, 200],
  'a redirect with a folded header': [lines('HTTP/1.1 301 Moved', 'Location: /a,', ' b', ''), 301],
  'status 101': [lines('HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket', ''), 101],
  'status 101 without an upgrade': [lines('HTTP/1.1 101 Switching Protocols', ''), 101],
  'status 999': [lines('HTTP/1.1 999 Odd', 'Content-Length: 0', ''), 999],
  'interim responses with folded headers': [`${early('Link: </a>,', ' </b>')}${early()}${ok}`, 200],
  'an interim response that looks like a final one inside': [`${early('X: y', ' HTTP/1.1 500 No')}${ok}`, 200],
  'only interim responses': [early('Link: </a>') + early(), undefined],
  'half a status line': ['HTTP/1.1 200 O', undefined],
  'a status line without a line end, and a CR': ['HTTP/1.1 200 OK\r', undefined],
  'a status of four digits': [lines('HTTP/1.1 2000 OK', ''), undefined],
  'a status of two digits': [lines('HTTP/1.1 20 OK', ''), undefined],
  'a status below 100': [lines('HTTP/1.1 099 OK', ''), undefined],
  'no status': [lines('HTTP/1.1 OK', ''), undefined],
  ICY: [lines('ICY 200 OK', ''), undefined],
  mail: [lines('220 mail.example.com ESMTP'), undefined],
  'a header before the status line': [lines('Server: x', 'HTTP/1.1 200 OK', ''), undefined],
};

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

describe.each(Object.entries(responses))('%s', (name, [text, status]) => {
  const statusIn = (chunks: readonly Uint8Array[]): readonly number[] => {
    const found: number[] = [];
    const read = createStatusReader((one) => found.push(one));
    for (const chunk of chunks) read(chunk);
    return found;
  };
  const expected = status === undefined ? [] : [status];

  test(`${name} has the same status in any pieces, found once`, () => {
    const bytes = bytesOf(text);
    expect(statusIn([bytes])).toEqual(expected);
    expect(statusIn([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (cuts) => {
        const ends = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        expect(statusIn(ends.slice(1).map((end, i) => bytes.subarray(ends[i], end)))).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  test.each([
    ['ends the connection', 'end'],
    ['resets it', 'reset'],
  ])(`${name} decides the attempt, once, if the receiver then %s`, async (_how, how) => {
    let requests = 0;
    const { port } = await rawServer((socket) =>
      onRequest(socket, () => {
        requests += 1;
        socket.write(bytesOf(text), () => (how === 'end' ? socket.end() : setImmediate(() => socket.resetAndDestroy())));
      }),
    );
    const result = await newSender().send(deliveryTo(port));
    if (status === undefined) expect(result).toEqual(failed);
    else if (status >= 200 && status < 300) expect(result).toEqual(succeeded(status));
    else
      expect(result).toMatchObject({
        success: false,
        statusCode: status,
        error: status >= 300 && status < 400 ? 'redirect_not_followed' : 'http_error',
      });
    expect(requests).toBe(1);
  });
});

test('a response that arrives byte by byte decides by its status', async () => {
  const { port } = await rawServer((socket) =>
    onRequest(socket.setNoDelay(), async () => {
      for (const byte of bytesOf(responses['interim responses with folded headers']?.[0] ?? ''))
        await new Promise((written) => socket.write(Uint8Array.of(byte), written));
    }),
  );
  expect(await newSender().send(deliveryTo(port))).toEqual(succeeded(200));
});
