import { GetParametersCommand, SSMClient, type SSMClientConfig } from '@aws-sdk/client-ssm';
import { AccessDenied, callLimits, NoResponse, withCallLimit } from '../core/aws-calls.ts';

/** Errors which say that the key of a secret is gone. */
const withdrawals = ['InvalidKeyId'];

const failureOf = (error: unknown): Error => {
  const { name, code, $metadata } = error as { name?: string; code?: string; $metadata?: { httpStatusCode?: number } };
  const reason = [$metadata?.httpStatusCode, code ?? name].filter((part) => part !== undefined).join(' ');
  if (name === 'AccessDeniedException') return new AccessDenied(reason);
  return withdrawals.includes(name ?? '') ? new Error(reason) : new NoResponse(reason);
};

interface ParameterStore {
  /**
   * Returns decrypted SecureString parameters by name, of at most ten names; missing ones are left out.
   * Rejects with the status and the name of the error, as `NoResponse` unless the key of a secret is gone, or as
   * `AccessDenied`. The error's message is left out, because it could quote the request.
   */
  read(names: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export const connectParameterStore = (config: SSMClientConfig): ParameterStore => {
  const client = withCallLimit(new SSMClient({ ...callLimits, ...config }));
  return {
    async read(names) {
      try {
        const { Parameters = [] } = await client.send(new GetParametersCommand({ Names: [...names], WithDecryption: true }));
        return new Map(Parameters.map(({ Name = '', Value = '' }) => [Name, Value]));
      } catch (error) {
        throw failureOf(error);
      }
    },
  };
};
