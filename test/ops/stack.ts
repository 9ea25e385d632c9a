import type { IncomingMessage } from 'node:http';
import type { ActionCall } from '../../local/region.ts';
import type { Runtime } from '../../local/runtime.ts';
import type { Region } from '../../shared/core/config.ts';
import { type Served, serve } from '../support/serve.ts';

/** AWS for a deployed stack: responds as Lambda and CloudFormation do, from a running service. */
export type Stack = Pick<Served, 'url' | 'stop'>;

export interface StackOptions {
  /** The output ApiUrl; the service's own address if absent. */
  readonly apiUrl?: string;
  /** Responds to an action instead of the service; undefined passes it on. */
  readonly instead?: (call: ActionCall) => object | undefined | Promise<object>;
}

/** Returns what CloudFormation responds about a stack with these outputs. */
export const describedStack = (outputs: Readonly<Record<string, string>>): string => {
  const rows = Object.entries(outputs).map(
    ([name, value]) => `<member>\n<OutputKey>${name}</OutputKey>\n<OutputValue>${value}</OutputValue></member>`,
  );
  const stacks = `<Stacks><member><Outputs>${rows.join('')}</Outputs></member></Stacks>`;
  return `<DescribeStacksResponse><DescribeStacksResult>${stacks}</DescribeStacksResult></DescribeStacksResponse>`;
};

export const startStack = async (runtime: Runtime, region: Region, options: StackOptions = {}): Promise<Stack> => {
  const { apiUrl = runtime.urls[region], instead = () => undefined } = options;
  const respondTo = async (request: IncomingMessage, body: string): Promise<{ status?: number; text: string }> => {
    if (request.url?.endsWith('-actions/invocations')) {
      const call = JSON.parse(body) as ActionCall;
      return { text: JSON.stringify((await instead(call)) ?? (await runtime.invokeAction(region, call))) };
    }
    const form = new URLSearchParams(body);
    if (form.get('Action') !== 'DescribeStacks' || form.get('StackName') !== `BakeryCommerce-${region}`)
      return { status: 400, text: '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code></Error></ErrorResponse>' };
    return { text: describedStack({ ApiUrl: apiUrl }) };
  };

  return serve(async (request, response, body) => {
    const { status = 200, text } = await respondTo(request, String(body));
    response.writeHead(status).end(text);
  });
};
