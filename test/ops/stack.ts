import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ActionCall } from '../../local/region.ts';
import type { Runtime } from '../../local/runtime.ts';
import type { Region } from '../../shared/core/regions.ts';

/** A line of the log group. */
export interface LogEvent {
  readonly timestamp: number;
  readonly message: string;
}

/** What AWS is asked for a deployed stack, answered as Lambda, CloudFormation and CloudWatch Logs do, out of a running service. */
export interface Stack {
  readonly url: string;
  /** The last 60 s of the log group; one page holds two. */
  readonly logged: LogEvent[];
  /** What FilterLogEvents was asked. */
  readonly filters: Record<string, unknown>[];
  stop(): void;
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
};

const pageSize = 2;

export interface StackOptions {
  /** The output ApiUrl; the service's own address if absent. */
  readonly apiUrl?: string;
  /** Answers an action in the place of the service; undefined lets it through. */
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

  const answer = async (request: IncomingMessage): Promise<{ status?: number; text: string }> => {
    const body = await textOf(request);
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

  const server = createServer((request, response) => {
    void answer(request).then(({ status = 200, text }) => response.writeHead(status).end(text));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    logged,
    filters,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
};
