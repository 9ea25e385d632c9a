import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * Begins a POST with a shorter body than announced, and hangs up. Resolves once the connection is
 * closed.
 */
export const hangUp = async (url: string): Promise<void> => {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  await once(socket, 'connect');
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 1000\r\n\r\n`;
  await new Promise((resolve) => socket.write(`${head}{"half":`, resolve));
  const closed = once(socket, 'close');
  socket.resetAndDestroy();
  await closed;
};

/** More bytes than any receiver of the project reads. */
const manyBytes = 1_200_000;

/**
 * Begins a POST with a body that does not end, with an announced length or without. Resolves with
 * the status of the response; 0 if the connection ends without one. Sends a bounded number of bytes:
 * bytes that arrive after the response would reset the connection before the response is read.
 */
export const statusOfEndlessBody = async (url: string, framing: 'Content-Length: 10000000000' | 'Transfer-Encoding: chunked') => {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  socket.write(`POST ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\n${framing}\r\n\r\n`);
  if (framing.startsWith('Transfer')) socket.write(`${manyBytes.toString(16)}\r\n${'x'.repeat(manyBytes)}\r\n`);
  const response = await new Promise<string>((resolve) => {
    socket.on('data', (data) => resolve(data.toString('latin1'))).on('close', () => resolve('HTTP/1.1 0'));
  });
  socket.destroy();
  return Number(response.split(' ')[1]);
};
