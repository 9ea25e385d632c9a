import type { IncomingMessage, ServerResponse } from 'node:http';
import { isRegion, type Region } from '../../shared/core/config.ts';
import { ApiError, invalidValue, unknownPath } from '../../shared/core/errors.ts';
import type { ActionCall, InvokeAction } from '../region.ts';
import type { DemoAccount } from '../seed.ts';
import { isFromHere } from './guard.ts';
import { readBody } from './handle.ts';
import { rejectionBody, replyJson } from './replies.ts';
import type { LocalPage, OwnHandler } from './server.ts';

export interface ActionOptions {
  readonly regions: readonly Region[];
  readonly invokeAction: InvokeAction;
}

interface OwnEndpointsOptions extends ActionOptions {
  readonly isReady: () => Promise<boolean>;
  /**
   * Returns the regions with their addresses and demo accounts, for `ops` and the examples.
   * Resolves when the service is ready.
   */
  readonly localRegions: () => Promise<readonly LocalRegion[]>;
}

/** A region's address, and what to try there. */
export interface LocalRegion {
  readonly region: Region;
  /** The API's address on the region's own port: `http://127.0.0.1:4001/api/v2`. */
  readonly url: string;
  /** Null with `--no-seed`. */
  readonly demo: DemoAccount | null;
}

const longestCall = 5 * 1024 * 1024;

/**
 * Returns the call of an action in a request's body, which may be one of `actions`. Rejects as the
 * service does. The action itself checks `input` and `token`.
 */
const parseCall = (text: string, regions: readonly Region[], actions?: readonly string[]): { region: Region; call: ActionCall } => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new ApiError('invalid_json', 'The body is not JSON.');
  }
  const { region, action, account, input, token }: Readonly<Record<string, unknown>> = Object(parsed);
  if (!isRegion(region) || !regions.includes(region))
    throw invalidValue('region', `region must be one of the running ones: ${regions.join(', ')}.`);
  if (typeof action !== 'string') throw invalidValue('action', 'action must be text: noun.verb.');
  if (actions && !actions.includes(action)) throw invalidValue('action', `action must be one of the page's: ${actions.join(', ')}.`);
  if (account !== undefined && typeof account !== 'string') throw invalidValue('account', 'account must be text.');
  return { region, call: { action, input, token, ...(account === undefined ? {} : { account }) } };
};

interface ActionEndpoint extends ActionOptions {
  readonly isAllowed: (request: IncomingMessage) => boolean;
  /** The permitted callers, for the error of others. */
  readonly rejectionMessage: string;
  /** The actions that may be called; all if absent. */
  readonly actions?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the handler that runs the action in the body of a request. */
export const createActionEndpoint =
  ({ regions, invokeAction, isAllowed, rejectionMessage, actions, headers }: ActionEndpoint) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request, longestCall);
    if (!isAllowed(request)) return replyJson(response, 403, rejectionBody(rejectionMessage), headers);
    if (body === undefined) return replyJson(response, 400, rejectionBody('The body is too long.'), headers);
    try {
      const { region, call } = parseCall(body.toString('utf8'), regions, actions);
      replyJson(response, 200, await invokeAction(region, call), headers);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      replyJson(response, error.status, error.body, headers);
    }
  };

/** Browsers send the origin of a request; programs do not. */
const isFromProgram = (request: IncomingMessage): boolean =>
  isFromHere(request) && request.headers.origin === undefined && request.headers['sec-fetch-site'] === undefined;

const root = '/_local';

/**
 * `/_local/health`, `/_local/places` and `/_local/actions`. They serve the person who runs the
 * service, and never a web page that this person visits.
 */
export const createOwnEndpoints = ({ regions, isReady, invokeAction, localRegions }: OwnEndpointsOptions): LocalPage => {
  const handlers: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>>> = {
    'GET health': async (request, response) => {
      request.resume();
      return (await isReady()) ? replyJson(response, 200, { status: 'ready', regions }) : replyJson(response, 503, { status: 'starting' });
    },
    'GET places': async (request, response) => {
      request.resume();
      if (!isFromProgram(request)) return replyJson(response, 403, rejectionBody('Demo keys are given to programs on this machine only.'));
      replyJson(response, 200, { places: await localRegions() }, { 'cache-control': 'no-store' });
    },
    'POST actions': createActionEndpoint({
      regions,
      invokeAction,
      isAllowed: isFromProgram,
      rejectionMessage: 'Actions are taken from programs on this machine only.',
    }),
  };
  const handle: OwnHandler = async (path, request, response) => {
    const handler = handlers[`${request.method === 'HEAD' ? 'GET' : request.method} ${path.slice(root.length + 1)}`];
    if (handler) return handler(request, response);
    request.resume();
    replyJson(response, 404, unknownPath().body);
  };
  return { path: root, handle };
};
