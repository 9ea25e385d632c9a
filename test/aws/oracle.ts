import { Readable } from 'node:stream';
import * as sdkDynamo from '@aws-sdk/client-dynamodb';
import * as sdkScheduler from '@aws-sdk/client-scheduler';
import * as sdkSqs from '@aws-sdk/client-sqs';
import * as sdkLib from '@aws-sdk/lib-dynamodb';
import * as leanDynamo from '../../shared/aws/client-dynamodb.ts';
import * as leanScheduler from '../../shared/aws/client-scheduler.ts';
import * as leanSqs from '../../shared/aws/client-sqs.ts';
import * as leanLib from '../../shared/aws/lib-dynamodb.ts';

/** An answer of AWS as it comes over the wire. */
export interface Scripted {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request as a client handed it over to be sent. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly hostname: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers request after request: what to answer, or the error to fail with; the last one for all that follow. */
export const scriptedHandler = (script: readonly (Scripted | Error)[]) => {
  const sent: Sent[] = [];
  return {
    sent,
    async handle(request: any): Promise<any> {
      const { method, path, hostname, headers, body } = request;
      sent.push({ method, path, hostname, headers, body: typeof body === 'string' ? body : new TextDecoder().decode(body) });
      const next = script[Math.min(sent.length, script.length) - 1];
      if (next instanceof Error) throw next;
      const bytes = Buffer.from(next?.body ?? '{}');
      return { response: { statusCode: next?.status ?? 200, headers: { ...next?.headers }, body: Readable.from([bytes]) } };
    },
    metadata: { handlerProtocol: 'http/1.1' },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
    destroy() {},
  };
};

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret/+EXAMPLE', sessionToken: 'token==' };

/** The same client of the SDK and of ours, each on a handler with the same script. */
export const clients = (script: readonly (Scripted | Error)[] = [], config: object = {}) => {
  const pair = (dynamo: any, lib: any, sqs: any, scheduler: any) => {
    const handler = scriptedHandler(script);
    const options = { region: 'eu-west-1', credentials, requestHandler: handler, ...config };
    return {
      sent: handler.sent,
      lib,
      sqsCommands: sqs,
      schedulerCommands: scheduler,
      dynamo,
      documents: lib.DynamoDBDocumentClient.from(new dynamo.DynamoDBClient(options), { marshallOptions: { removeUndefinedValues: true } }),
      sqs: new sqs.SQSClient(options),
      scheduler: new scheduler.SchedulerClient(options),
    };
  };
  return { sdk: pair(sdkDynamo, sdkLib, sdkSqs, sdkScheduler), lean: pair(leanDynamo, leanLib, leanSqs, leanScheduler) };
};

export type Side = ReturnType<typeof clients>['sdk'];

/** What a call came to: its value, or what the error tells. */
export const outcomeOf = async (call: () => Promise<any>): Promise<any> => {
  try {
    const { $metadata: _, ...value } = await call();
    return { value };
  } catch (error: any) {
    return {
      error: {
        name: error.name,
        message: error.message,
        fault: error.$fault,
        status: error.$metadata?.httpStatusCode,
        code: error.code,
        item: error.Item,
        reasons: error.CancellationReasons,
      },
    };
  }
};
