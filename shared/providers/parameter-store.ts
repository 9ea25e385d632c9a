import { GetParameterCommand, SSMClient, type SSMClientConfig } from '@aws-sdk/client-ssm';
import { AccessDenied, bounded, callLimits, NoResponse } from '../core/aws-calls.ts';

/** Errors which say that there is no such secret, or that its key is gone. */
const withdrawals = ['ParameterNotFound', 'InvalidKeyId'];

const failureOf = (error: unknown): Error => {
  const { name, code, $metadata } = error as { name?: string; code?: string; $metadata?: { httpStatusCode?: number } };
  const reason = [$metadata?.httpStatusCode, code ?? name].filter((part) => part !== undefined).join(' ');
  if (name === 'AccessDeniedException') return new AccessDenied(reason);
  return withdrawals.includes(name ?? '') ? new Error(reason) : new NoResponse(reason);
};

interface ParameterStore {
  /**
   * Returns a decrypted SecureString parameter. Rejects with the status and the name of the error,
   * as `NoResponse` unless the secret is missing, or as `AccessDenied`. The error's message is left out,
   * because it could quote the request.
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
        throw failureOf(error);
      }
    },
  };
};
