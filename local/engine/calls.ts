import { Client, jsonCall, parseJson } from '../../shared/aws/client.ts';
import type { Engine } from './dynamodb.ts';

/** Calls that no function makes, of tables and streams; input and output are as they go over the wire. */
export interface EngineCalls {
  /** Throws an error whose name is the engine's: `ResourceNotFoundException`. */
  call<Output>(operation: string, input: object): Promise<Output>;
  close(): void;
}

const service = { name: 'dynamodb', variable: 'DYNAMODB', retryBaseMs: 25, errors: {} };

/** The two halves of DynamoDB's protocol, by the versions that name them in a request. */
export type EngineApi = 'DynamoDB_20120810' | 'DynamoDBStreams_20120810';

export const engineCalls = (config: Engine['client'], api: EngineApi): EngineCalls => {
  const client = new Client(service, config);
  return {
    async call<Output>(operation: string, input: object) {
      return parseJson(await client.call(jsonCall(`${api}.${operation}`, JSON.stringify(input)))) as Output;
    },
    close: () => client.destroy(),
  };
};
