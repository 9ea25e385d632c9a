import { connect } from 'node:net';

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Parses the first response in `bytes`. Its length is the Content-Length, which the gateway always
 * sends.
 */
const readResponse = (bytes: string): { response: RawResponse; rest: string } | undefined => {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [first = '', ...lines] = bytes.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(lines.map((line) => [line.split(':')[0]?.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
  const length = Number(headers['content-length'] ?? 0);
  const body = bytes.slice(end + 4, end + 4 + length);
  if (body.length < length) return undefined;
  return { response: { status: Number(first.split(' ')[1]), headers, text: body }, rest: bytes.slice(end + 4 + length) };
};

/**
 * Sends the bytes and reads responses until there are enough, or the server closes the connection.
 */
export const exchangeRaw = (port: number, bytes: string | Uint8Array, count = 1): Promise<RawResponse[]> =>
  new Promise((resolve) => {
    const responses: RawResponse[] = [];
    let received = '';
    const socket = connect(port, '127.0.0.1');
    const finish = () => {
      socket.destroy();
      resolve(responses);
    };
    socket.on('error', finish); // a reset is an end like any other
    socket.once('close', finish);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      for (let next = readResponse(received); next; next = readResponse(received)) {
        responses.push(next.response);
        received = next.rest;
      }
      if (responses.length >= count) finish();
    });
    socket.write(bytes);
  });
