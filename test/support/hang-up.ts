import { once } from 'node:events';
import { connect } from 'node:net';

/** Begins a POST whose body is announced longer than it gets, and hangs up; resolves once the connection is gone. */
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
