import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { sourceIpOf } from './event.ts';

/**
 * Returns the address of a container's host, which is the container's default gateway. Returns
 * undefined outside a container, where the gateway is a router. `routes` is the content of
 * /proc/net/route.
 */
export const hostOfContainer = (routes: string, isContainer: boolean): string | undefined => {
  if (!isContainer) return undefined;
  const [, gateway] = /^\S+\t00000000\t([0-9A-F]{8})\t/m.exec(routes) ?? [];
  return gateway && [...Buffer.from(gateway, 'hex')].reverse().join('.');
};

/** Files that container engines put into a container. */
const containerMarks = ['/.dockerenv', '/run/.containerenv'];

const findHost = (): string | undefined => {
  try {
    const isContainer = containerMarks.some(existsSync) || process.env['container'] !== undefined;
    return hostOfContainer(readFileSync('/proc/net/route', 'utf8'), isContainer);
  } catch {
    return undefined; // not Linux
  }
};

/**
 * The other machine that may see pages and run actions. It reaches this service only if that
 * listens beyond loopback.
 */
const containerHost = findHost();

const loopbackPeer = /^(127\.|::1$)/;
const localName = /^(localhost|([a-z0-9-]+\.)*localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d{1,5})?$/i;

/**
 * Whether a request comes from this machine, or from the host of its container, and names it. The
 * Host header shows a foreign name that was made to resolve to this machine (DNS rebinding).
 */
export const isFromHere = (request: IncomingMessage, host = containerHost): boolean => {
  const peer = sourceIpOf(request);
  return (loopbackPeer.test(peer) || peer === host) && localName.test(request.headers.host ?? '');
};

const isJson = (request: IncomingMessage): boolean =>
  /^application\/json\s*(;\s*charset=utf-8\s*)?$/i.test(request.headers['content-type'] ?? '');

/**
 * Reports whether this server sent the requesting page: its origin must equal the requested host
 * exactly. Forms and requests without CORS cannot send JSON. All other cross-origin requests of
 * browsers name their origin.
 */
export const isFromOwnPage = (request: IncomingMessage): boolean => {
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  return isFromHere(request) && isJson(request) && origin === `http://${host}` && (site === undefined || site === 'same-origin');
};
