import type { AwsCredentialIdentityProvider } from '@smithy/types';

/** What the Lambda runtime tells every function of its AWS surroundings. */
export interface AwsEnvironment {
  readonly awsRegion: string;
  readonly credentials: AwsCredentialIdentityProvider;
  /** Set where the service is not Amazon's, as the SDK's own clients read it. */
  readonly endpoint: string | undefined;
}

export const awsEnvironment = (env: Readonly<Record<string, string | undefined>>, service: 'S3' | 'SSM'): AwsEnvironment => ({
  awsRegion: env['AWS_REGION'] ?? 'us-east-1',
  credentials: async () => ({
    accessKeyId: env['AWS_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: env['AWS_SECRET_ACCESS_KEY'] ?? '',
    ...(env['AWS_SESSION_TOKEN'] ? { sessionToken: env['AWS_SESSION_TOKEN'] } : {}),
  }),
  endpoint: env[`AWS_ENDPOINT_URL_${service}`] ?? env['AWS_ENDPOINT_URL'],
});
