import { Client } from '../client/call.ts';
import type { Engine } from './dynamodb.ts';

/** Calls that no function makes, of tables and streams; input and output are as they go over the wire. */
interface EngineCalls {
  /** Throws an error whose name is the engine's: `ResourceNotFoundException`. */
  call<Output>(operation: string, input: object): Promise<Output>;
  close(): void;
}

/** The two halves of DynamoDB's protocol, by the versions that name them in a request. */
type EngineApi = 'DynamoDB_20120810' | 'DynamoDBStreams_20120810';

export const engineCalls = (config: Engine['client'], api: EngineApi): EngineCalls => {
  const client = new Client(config);
  return {
    call: async <Output>(operation: string, input: object) => (await client.call(`${api}.${operation}`, JSON.stringify(input))) as Output,
    close: () => client.destroy(),
  };
};
