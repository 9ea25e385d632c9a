import type { Place } from '../local/gateway/own-endpoints.ts';
import { ApiError } from '../shared/core/errors.ts';
import { awsRegions, type Region } from '../shared/core/regions.ts';

/** What both targets are sent. */
export interface ActionEvent {
  readonly action: string;
  readonly account?: string;
  readonly input?: unknown;
  /** The same with every try of the call, so that it is done once. */
  readonly token: string;
}

/** An error as the service worded it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly body: { readonly error: Record<string, unknown> };

  constructor(error: Record<string, unknown>) {
    super(String(error['message']));
    this.body = { error };
  }
}

const timeoutMs = 60_000; // the function's own

const failure = (message: string, cause?: unknown): ApiError => new ApiError('internal_error', message, { cause });
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const noAnswer = (from: string): string => `${from} answered something that is no answer of an action.`;

const parseAnswer = (text: string, from: string): Record<string, unknown> => {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer === 'object' && answer !== null) return { ...answer };
  } catch {
    // said below
  }
  throw failure(noAnswer(from));
};

/** The result of an answer; throws the refusal that the service put into words. */
const resultOf = (answer: Record<string, unknown>, from: string): unknown => {
  if (answer['ok'] === true) return answer['result'];
  // What the local runtime refuses before the action is asked has its envelope at the top.
  const { error } = ((answer['ok'] === false ? answer['body'] : answer) ?? {}) as { error?: unknown };
  if (typeof error !== 'object' || error === null) throw failure(noAnswer(from));
  throw new Refusal({ ...error });
};

/** What the local service answers on a path of its own; throws the sentence to say where there is none. */
const askLocal = async (port: number, path: string, request: RequestInit): Promise<Record<string, unknown>> => {
  const place = `127.0.0.1:${port}`;
  let text: string;
  try {
    const response = await fetch(`http://${place}${path}`, { ...request, signal: AbortSignal.timeout(timeoutMs) });
    text = await response.text();
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw failure(`No service answers on ${place} (${reasonOf(cause)}); start it with npm start, or name its --port.`, error);
  }
  return parseAnswer(text, place);
};

export const invokeLocal = async (port: number, region: Region, event: ActionEvent): Promise<unknown> => {
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify({ region, ...event }) };
  return resultOf(await askLocal(port, '/_local/actions', request), `127.0.0.1:${port}`);
};

/** The regions of the local service with their demo accounts. */
export const localPlaces = async (port: number): Promise<readonly Place[]> => {
  const { places } = await askLocal(port, '/_local/places', { method: 'GET' });
  if (!Array.isArray(places)) throw failure(noAnswer(`127.0.0.1:${port}`));
  return places;
};

/** Invokes `<stack>-actions` with the usual AWS credentials; a region set in the environment wins over the usual one. */
export const invokeDeployed = async (
  stack: string,
  region: Region,
  event: ActionEvent,
  env: Readonly<Record<string, string | undefined>>,
): Promise<unknown> => {
  // Only this target needs the client, which takes longer to load than the rest of the command.
  const { InvokeCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
  const functionName = `${stack}-actions`;
  const client = new LambdaClient({ region: env['AWS_REGION'] || awsRegions[region] });
  try {
    const { FunctionError, Payload } = await client
      .send(new InvokeCommand({ FunctionName: functionName, Payload: Buffer.from(JSON.stringify(event)) }))
      .catch((error: unknown) => {
        throw failure(
          `${functionName} could not be invoked: ${reasonOf(error)}. If it may have worked, repeat it with --token ${event.token}`,
          error,
        );
      });
    if (FunctionError !== undefined) throw failure(`${functionName} failed (${FunctionError}); its log says why.`);
    return resultOf(parseAnswer(Buffer.from(Payload ?? []).toString('utf8'), functionName), functionName);
  } finally {
    client.destroy();
  }
};
