import type { IncomingMessage, ServerResponse } from 'node:http';
import { startFauxqs } from 'fauxqs';
import { credentials } from '../../providers/api-server.ts';
import { serve } from '../../support/serve.ts';
import type { IamRequest } from '../iam.ts';

/** Resources of the stack, as policies name them. */
export interface GateNames {
  /** Logical ids of its queues and of its one bucket. */
  readonly queues: readonly string[];
  readonly bucket: string;
  readonly logicalIdOfFunction: (functionName: string) => string;
}

/**
 * A server for the real clients of SQS, S3, Scheduler, Lambda and Parameter Store. It derives the
 * requests that IAM would check.
 */
export interface Gate {
  readonly endpoint: string;
  /** For clients of the SDK. */
  readonly client: { readonly endpoint: string; readonly region: string; readonly credentials: typeof credentials };
  readonly queueUrl: (logicalId: string) => string;
  readonly bucketName: string;
  /** Values by full name. A missing name is not found. */
  readonly parameters: Map<string, string>;
  /** Runs before each request is passed on. Throws if a request lacks a right. */
  judge: (requests: readonly IamRequest[]) => void;
  stop(): Promise<void>;
}

const region = 'us-east-1';
const account = '<AWS::AccountId>';

interface Received {
  readonly service: string;
  readonly method: string;
  readonly path: string;
  /** `SendMessageBatch` of the header that JSON protocols name the operation in. */
  readonly operation: string;
  readonly body: string;
}

const receive = (request: IncomingMessage, body: string): Received => {
  const service = /\/([a-z0-9]+)\/aws4_request/.exec(String(request.headers.authorization))?.[1] ?? '';
  const operation = String(request.headers['x-amz-target'] ?? '').split('.')[1] ?? '';
  return { service, method: request.method ?? '', path: request.url ?? '', operation, body };
};

/** IAM checks a batch of SQS as its single operation. */
const sqsRequests = ({ operation, body }: Received): IamRequest[] => {
  const { QueueUrl } = JSON.parse(body) as { QueueUrl: string };
  return [{ action: `sqs:${operation.replace(/Batch$/, '')}`, resource: `<${QueueUrl.split('/').at(-1)}.Arn>` }];
};

const scheduleRequests = ({ path, body }: Received): IamRequest[] => {
  const { GroupName, Target } = JSON.parse(body) as { GroupName: string; Target: { RoleArn: string } };
  const name = path.split('/').at(-1);
  return [
    { action: 'scheduler:CreateSchedule', resource: `arn:aws:scheduler:${region}:${account}:schedule/${GroupName}/${name}` },
    { action: 'iam:PassRole', resource: Target.RoleArn, passedToService: 'scheduler.amazonaws.com' },
  ];
};

const logGroupOf = ({ body }: Received): string =>
  `arn:aws:logs:${region}:${account}:log-group:${(JSON.parse(body) as { logGroupName: string }).logGroupName}:*`;

/** A query for statuses always stays "Running". */
const queryOutput = ({ operation, body }: Received): object => {
  if (operation === 'StartQuery') return { queryId: body.includes('filter status') ? 'endless' : 'short' };
  return { status: body.includes('endless') ? 'Running' : 'Complete', results: [] };
};

const parametersOf = ({ body }: Received): readonly string[] => (JSON.parse(body) as { Names: string[] }).Names;

export const openGate = async ({ queues, bucket, logicalIdOfFunction }: GateNames): Promise<Gate> => {
  const engine = await startFauxqs({ port: 0, logger: false });
  const bucketName = bucket.toLowerCase();
  for (const queue of queues) engine.createQueue(queue);
  engine.createBucket(bucketName);
  const parameters = new Map<string, string>();
  const state = { judge: (_requests: readonly IamRequest[]): void => {} };

  const requestsOf = (received: Received): IamRequest[] => {
    const { service, method, path, operation } = received;
    switch (service) {
      case 'sqs':
        return sqsRequests(received);
      case 's3':
        return [
          { action: method === 'PUT' ? 's3:PutObject' : 's3:GetObject', resource: `<${bucket}.Arn>${path.slice(1 + bucketName.length)}` },
        ];
      case 'scheduler':
        return scheduleRequests(received);
      case 'logs':
        return [{ action: `logs:${operation}`, resource: operation === 'StartQuery' ? logGroupOf(received) : '*' }];
      case 'events':
        return [{ action: `events:${operation}`, resource: `arn:aws:events:${region}:${account}:event-bus/default` }];
      case 'lambda':
        return [{ action: 'lambda:InvokeFunction', resource: `<${logicalIdOfFunction(path.split('/')[3] ?? '')}.Arn>` }];
      case 'ssm':
        return parametersOf(received).map((name) => ({
          action: `ssm:${operation}`,
          resource: `arn:aws:ssm:${region}:${account}:parameter${name}`,
        }));
      default:
        throw new Error(`A call of ${service} that the gate does not know: ${method} ${path}`);
    }
  };

  const passOn = async (request: IncomingMessage, { method, path, body }: Received): Promise<{ status: number; text: string }> => {
    const { 'content-length': _, host: __, connection: ___, ...headers } = request.headers as Record<string, string>;
    const response = await fetch(`http://127.0.0.1:${engine.port}${path}`, { method, headers, ...(method === 'GET' ? {} : { body }) });
    return { status: response.status, text: await response.text() };
  };

  const respondTo = async (request: IncomingMessage, received: Received): Promise<{ status: number; text: string }> => {
    switch (received.service) {
      case 'scheduler':
        return { status: 200, text: '{"ScheduleArn":"arn"}' };
      case 'logs':
        return { status: 200, text: JSON.stringify(queryOutput(received)) };
      case 'events':
        return { status: 200, text: JSON.stringify({ Entries: JSON.parse(received.body).Entries.map(() => ({ EventId: '1' })) }) };
      case 'lambda':
        return { status: 200, text: '{"batchItemFailures":[]}' };
      case 'ssm': {
        const names = parametersOf(received);
        const Parameters = names.filter((Name) => parameters.has(Name)).map((Name) => ({ Name, Value: parameters.get(Name) }));
        return { status: 200, text: JSON.stringify({ Parameters, InvalidParameters: names.filter((name) => !parameters.has(name)) }) };
      }
      default:
        return await passOn(request, received);
    }
  };

  const respond = async (request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> => {
    try {
      const received = receive(request, String(body));
      state.judge(requestsOf(received));
      const { status, text } = await respondTo(request, received);
      // S3 reports a missing object as 404 only to callers that may list the bucket; others get
      // 403.
      if (received.service === 's3' && status === 404) state.judge([{ action: 's3:ListBucket', resource: `<${bucket}.Arn>` }]);
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(text);
    } catch (error) {
      response.writeHead(403, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify({ __type: 'AccessDeniedException', message: String(error) }));
    }
  };

  const server = await serve(respond);
  const endpoint = server.url;
  return Object.assign(state, {
    endpoint,
    client: { endpoint, region, credentials },
    queueUrl: (logicalId: string) => `${endpoint}/000000000000/${logicalId}`,
    bucketName,
    parameters,
    async stop() {
      await server.stop();
      await engine.stop();
    },
  });
};
