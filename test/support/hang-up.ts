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

/**
 * Begins a POST with an endless body, with an announced length or without. Resolves with the status
 * of the response, however little was sent; 0 if the connection ends without one.
 */
export const answerToEndlessBody = async (url: string, framing: 'Content-Length: 10000000000' | 'Transfer-Encoding: chunked') => {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  socket.write(`POST ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\n${framing}\r\n\r\n`);
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  const pour = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  if (framing.startsWith('Transfer')) pour();
  socket.on('drain', pour);
  const ended = once(socket, 'close').then(() => [Buffer.from('HTTP/1.1 0')]);
  const [answer] = (await Promise.race([once(socket, 'data'), ended])) as [Buffer];
  socket.destroy();
  return Number(answer.toString('latin1').split(' ')[1]);
};
