import { GetParameterCommand, SSMClient, type SSMClientConfig } from '@aws-sdk/client-ssm';
import { bounded, callLimits } from '../core/aws-calls.ts';

const reasonOf = (error: unknown): string => {
  const { name, code, $metadata } = error as { name?: string; code?: string; $metadata?: { httpStatusCode?: number } };
  return [$metadata?.httpStatusCode, code ?? name].filter((part) => part !== undefined).join(' ');
};

interface ParameterStore {
  /**
   * Returns a decrypted SecureString parameter. Rejects with the status and the name of the error.
   * Its message is left out, because it could quote the request.
   */
  read(name: string): Promise<string>;
}

export const connectParameterStore = (config: SSMClientConfig): ParameterStore => {
  const client = bounded(new SSMClient({ ...callLimits, ...config }));
  return {
    async read(name) {
      try {
        const { Parameter } = await client.send(new GetParameterCommand({ Name: name, WithDecryption: true }));
        return Parameter?.Value ?? '';
      } catch (error) {
        throw new Error(reasonOf(error));
      }
    },
  };
};
