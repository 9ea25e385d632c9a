import { Client, type ClientConfig, type Service } from './client.ts';

const lambda: Service = { name: 'lambda', variable: 'LAMBDA', retryBaseMs: 50, errors: {} };

interface Invocation {
  readonly FunctionName: string;
  readonly Payload?: string | Uint8Array;
}

/** In the place of `@aws-sdk/client-lambda`, as far as this service speaks it. */
export class InvokeCommand {
  readonly input: Invocation;

  constructor(input: Invocation) {
    this.input = input;
  }
}

export class LambdaClient extends Client {
  constructor(config: ClientConfig = {}) {
    super(lambda, config);
  }

  async send({ input: { FunctionName, Payload = '' } }: InvokeCommand): Promise<unknown> {
    const answer = await this.call({
      path: `/2015-03-31/functions/${encodeURIComponent(FunctionName)}/invocations`,
      headers: { 'content-type': 'application/octet-stream' },
      body: Payload,
    });
    return { StatusCode: answer.statusCode, FunctionError: answer.headers['x-amz-function-error'], Payload: new Uint8Array(answer.body) };
  }
}
