import type { IncomingMessage } from 'node:http';
import type { ActionCall } from '../../local/region.ts';
import type { Runtime } from '../../local/runtime.ts';
import type { Region } from '../../shared/core/regions.ts';
import { type Served, serve } from '../support/serve.ts';

/** A line of the log group. */
export interface LogEvent {
  readonly timestamp: number;
  readonly message: string;
}

/**
 * AWS for a deployed stack: responds as Lambda, CloudFormation and CloudWatch Logs do, from a
 * running service.
 */
export interface Stack extends Pick<Served, 'url' | 'stop'> {
  /** The last 60 s of the log group; one page holds two. */
  readonly logged: LogEvent[];
  /** Filters that FilterLogEvents received. */
  readonly filters: Record<string, unknown>[];
}

const pageSize = 2;

export interface StackOptions {
  /** The output ApiUrl; the service's own address if absent. */
  readonly apiUrl?: string;
  /** Responds to an action instead of the service; undefined passes it on. */
  readonly instead?: (call: ActionCall) => object | undefined | Promise<object>;
}

export const startStack = async (runtime: Runtime, region: Region, options: StackOptions = {}): Promise<Stack> => {
  const { apiUrl = runtime.urls[region], instead = () => undefined } = options;
  const logged: LogEvent[] = [];
  const filters: Record<string, unknown>[] = [];

  const filterLogEvents = (body: string) => {
    const { nextToken, ...filter } = JSON.parse(body);
    if (nextToken === undefined) filters.push(filter);
    const from = Number(nextToken ?? 0);
    const next = from + pageSize < logged.length ? { nextToken: String(from + pageSize) } : {};
    return JSON.stringify({ events: logged.slice(from, from + pageSize), ...next });
  };

  const answer = async (request: IncomingMessage, body: string): Promise<{ status?: number; text: string }> => {
    if (request.headers['x-amz-target'] === 'Logs_20140328.FilterLogEvents') return { text: filterLogEvents(body) };
    if (request.url?.endsWith('-actions/invocations')) {
      const call = JSON.parse(body) as ActionCall;
      return { text: JSON.stringify((await instead(call)) ?? (await runtime.invokeAction(region, call))) };
    }
    const asked = new URLSearchParams(body);
    if (asked.get('Action') !== 'DescribeStacks' || asked.get('StackName') !== `BakeryCommerce-${region}`)
      return { status: 400, text: '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code></Error></ErrorResponse>' };
    const member = `<member>\n<OutputKey>ApiUrl</OutputKey>\n<OutputValue>${apiUrl}</OutputValue></member>`;
    const stacks = `<Stacks><member><Outputs>${member}</Outputs></member></Stacks>`;
    return { text: `<DescribeStacksResponse><DescribeStacksResult>${stacks}</DescribeStacksResult></DescribeStacksResponse>` };
  };

  const { url, stop } = await serve(async (request, response, body) => {
    const { status = 200, text } = await answer(request, String(body));
    response.writeHead(status).end(text);
  });
  return { url, stop, logged, filters };
};
