import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Region } from '../../shared/core/config.ts';
import { describeError, type Log } from '../../shared/core/log.ts';
import { regionPortOf, UsageError } from '../options.ts';
import { pairHeaders, splitTarget } from './event.ts';
import { rejectionBody, rejectSocket, replyJson } from './replies.ts';

/** Handles a request to a region's API. */
type RegionHandler = (region: Region, request: IncomingMessage, response: ServerResponse) => Promise<void>;
/** Handles a request for a local page; `region` is the one with its API on this address. */
export type OwnHandler = (path: string, request: IncomingMessage, response: ServerResponse, region: Region) => Promise<void>;

/** A local page at this path and below it, on every port. */
export interface LocalPage {
  readonly path: string;
  readonly handle: OwnHandler;
}

interface GatewayOptions {
  /** Port; 0 chooses free ports, also for the regions. */
  readonly port: number;
  /** Address to listen on; loopback if absent. Pages and actions are meant for loopback. */
  readonly host?: string | undefined;
  readonly regions: readonly [Region, ...Region[]];
  readonly handle: RegionHandler;
  readonly pages?: readonly LocalPage[];
  readonly log: Log;
}

const bindTries = 20;
const bindPauseMs = 100;

/** Returns the region of `us.anything`, or undefined for every other host. */
export const regionOfHost = (host: string | undefined, regions: readonly Region[]): Region | undefined =>
  regions.find((region) => host?.toLowerCase().startsWith(`${region}.`));

const bind = async (server: Server, port: number, host: string): Promise<void> => {
  server.listen({ port, host, exclusive: true });
  await once(server, 'listening');
};

/**
 * Binds a port. Tries again if it is in use, because a run that was just killed may still hold it.
 */
const bindPatiently = async (server: Server, port: number, host: string): Promise<number> => {
  for (let tries = 1; ; tries++) {
    try {
      await bind(server, port, host);
      const address = server.address();
      return typeof address === 'object' && address ? address.port : port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE')
        throw new UsageError(`Port ${port} cannot be used: ${(error as Error).message}.`);
      if (tries === bindTries) throw new UsageError(`Port ${port} is in use: stop what listens there, or choose another with --port.`);
      await wait(bindPauseMs);
    }
  }
};

const closeAll = async (servers: readonly Server[], graceMs: number): Promise<void> => {
  const close = async (server: Server): Promise<void> => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    await server[Symbol.asyncDispose]();
    clearTimeout(timer);
  };
  await Promise.all(servers.filter((server) => server.listening).map(close));
};

const rejectRequest = (response: ServerResponse, status: number, message: string): void =>
  replyJson(response, status, rejectionBody(message), { 'x-request-id': randomUUID(), connection: 'close' });

/**
 * Starts one server for all regions, selected by host, and one per region on its own port: on
 * loopback, with IPv6 if available, or at `host`.
 */
export const startGateway = async ({ port, host, regions, handle, pages = [], log }: GatewayOptions) => {
  const servers: Server[] = [];

  const respond = async (region: Region | undefined, request: IncomingMessage, response: ServerResponse) => {
    const problem = settleAuthority(request);
    if (problem !== undefined) return rejectRequest(response, 400, problem);
    const { rawPath } = splitTarget(request.url ?? '/');
    const requestedRegion = region ?? regionOfHost(request.headers.host, regions) ?? regions[0];
    const page = pages.find(({ path }) => rawPath === path || rawPath.startsWith(`${path}/`));
    if (page) return page.handle(rawPath, request, response, requestedRegion);
    return handle(requestedRegion, request, response);
  };

  const create = (region: Region | undefined): Server => {
    const server = createServer({ keepAliveTimeout: 65_000, maxHeaderSize: 16_384, requireHostHeader: false }, (request, response) => {
      respond(region, request, response).catch((error: unknown) => {
        if (!request.destroyed) log({ message: 'request failed', error: describeError(error) });
        if (response.headersSent || response.destroyed) response.destroy();
        else replyJson(response, 500, { message: 'Internal Server Error' }, { 'x-request-id': randomUUID() });
      });
    });
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => rejectSocket(error, socket, randomUUID()));
    server.on('connect', (_request, socket: Socket) => rejectSocket(new Error('CONNECT'), socket, randomUUID()));
    server.on('checkExpectation', (_request, response: ServerResponse) =>
      rejectRequest(response, 417, 'Only "Expect: 100-continue" is understood.'),
    );
    servers.push(server);
    return server;
  };

  const open = async (region: Region | undefined, requestedPort: number): Promise<number> => {
    const bound = await bindPatiently(create(region), requestedPort, host ?? '127.0.0.1');
    if (host !== undefined) return bound;
    await bind(create(region), bound, '::1').catch(() => {}); // no IPv6
    return bound;
  };

  try {
    const mainPort = await open(undefined, port);
    const regionPorts: Partial<Record<Region, number>> = {};
    for (const region of regions) regionPorts[region] = await open(region, port === 0 ? 0 : regionPortOf(port, region));
    return {
      port: mainPort,
      regionPorts,
      /** Accepts no new requests. Ends running ones after `graceMs`. */
      stop: (graceMs: number) => closeAll(servers, graceMs),
    };
  } catch (error) {
    await closeAll(servers, 0);
    throw error;
  }
};

export type Gateway = Awaited<ReturnType<typeof startGateway>>;

const absoluteForm = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/**
 * Determines the host of a request and writes it into the request, so that routing, guards and
 * functions read the same host. Returns why the request is invalid, or undefined. An absolute-form
 * target overrides the Host header (RFC 9112, 3.2.2). HTTP/1.0 needs no Host.
 */
const settleAuthority = (request: IncomingMessage): string | undefined => {
  const { rawHeaders, httpVersion, url = '/' } = request;
  const names = pairHeaders(rawHeaders).map(([name]) => name);
  const hostPosition = names.indexOf('host');
  if (hostPosition !== names.lastIndexOf('host')) return 'There are two Host headers; send one.';
  if (hostPosition < 0 && httpVersion !== '1.0') return 'The Host header is missing.';
  const [start = '', authority] = absoluteForm.exec(url) ?? [];
  if (authority === undefined) return undefined;
  if (authority === '' || authority.includes('@')) return 'The request target must name a host, without credentials.';
  const path = url.slice(start.length);
  request.url = path.startsWith('/') ? path : `/${path}`;
  request.headers.host = authority;
  if (hostPosition < 0) rawHeaders.push('Host', authority);
  else rawHeaders[2 * hostPosition + 1] = authority;
  return undefined;
};
