import type { IncomingMessage, ServerResponse } from 'node:http';
import { isRegion, type Region } from '../../shared/core/config.ts';
import { ApiError, invalidValue } from '../../shared/core/errors.ts';
import type { ActionCall } from '../region.ts';
import type { DemoAccount } from '../seed.ts';
import { isFromHere } from './guard.ts';
import { readBody } from './handle.ts';
import { refusal, replyJson } from './replies.ts';

interface OwnEndpointsOptions {
  readonly regions: readonly Region[];
  readonly isReady: () => boolean | Promise<boolean>;
  readonly invokeAction: (region: Region, call: ActionCall) => Promise<unknown>;
  /**
   * Returns the regions with their addresses and demo accounts, for `ops` and the examples.
   * Resolves when the service is ready.
   */
  readonly places?: () => Promise<readonly Place[]>;
}

/** A region's address, and what to try there. */
export interface Place {
  readonly region: Region;
  /** The API's address on the region's own port: `http://127.0.0.1:4001/api/v2`. */
  readonly url: string;
  /** Null with `--no-seed`. */
  readonly demo: DemoAccount | null;
}

export const ownPrefix = '/_local/';

const longestCall = 5 * 1024 * 1024;

/** Fields that the action itself checks. */
export const inputAndToken = ({ input, token }: Readonly<Record<string, unknown>>): Pick<ActionCall, 'input' | 'token'> => ({
  ...(input === undefined ? {} : { input }),
  ...(token === undefined ? {} : { token }),
});

/** Returns the call. Rejects as the service does. */
const parseCall = (text: string, regions: readonly Region[]): { region: Region; call: ActionCall } => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new ApiError('invalid_json', 'The body is not JSON.');
  }
  const members: Record<string, unknown> = typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  const { region, action, account, ...rest } = members;
  if (!isRegion(region) || !regions.includes(region))
    throw invalidValue('region', `region must be one of the running ones: ${regions.join(', ')}.`);
  if (typeof action !== 'string') throw invalidValue('action', 'action must be text: noun.verb.');
  if (account !== undefined && typeof account !== 'string') throw invalidValue('account', 'account must be text.');
  return { region, call: { action, ...(account === undefined ? {} : { account }), ...inputAndToken(rest) } };
};

/** Browsers send the origin of a request; programs do not. */
const isFromProgram = (request: IncomingMessage): boolean =>
  isFromHere(request) && request.headers.origin === undefined && request.headers['sec-fetch-site'] === undefined;

/**
 * `/_local/health`, `/_local/places` and `/_local/actions`. They serve the person who runs the
 * service, and never a web page that this person visits.
 */
export const createOwnEndpoints = ({ regions, isReady, invokeAction, places = async () => [] }: OwnEndpointsOptions) => {
  const handlers: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>>> = {
    'GET health': async (request, response) => {
      request.resume();
      return (await isReady()) ? replyJson(response, 200, { status: 'ready', regions }) : replyJson(response, 503, { status: 'starting' });
    },
    'GET places': async (request, response) => {
      request.resume();
      if (!isFromProgram(request)) return replyJson(response, 403, refusal('Demo keys are given to programs on this machine only.'));
      replyJson(response, 200, { places: await places() }, { 'cache-control': 'no-store' });
    },
    'POST actions': async (request, response) => {
      const body = await readBody(request, longestCall);
      if (!isFromProgram(request)) return replyJson(response, 403, refusal('Actions are taken from programs on this machine only.'));
      if (body === undefined) return replyJson(response, 400, refusal('The body is too long.'));
      try {
        const { region, call } = parseCall(body.toString('utf8'), regions);
        replyJson(response, 200, await invokeAction(region, call));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        replyJson(response, error.status, error.body);
      }
    },
  };
  return async (path: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const handler = handlers[`${request.method === 'HEAD' ? 'GET' : request.method} ${path.slice(ownPrefix.length)}`];
    if (handler) return handler(request, response);
    request.resume();
    replyJson(response, 404, { error: { type: 'not_found', code: 'not_found', message: 'No such path or method.' } });
  };
};
