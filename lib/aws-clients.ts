import { fileURLToPath } from 'node:url';

/** Who speaks to AWS in the deployed functions: the SDK's clients, or lean ones of our own (docs/decisions/0023-lean-aws-clients.md). */
export const awsClients = ['sdk', 'lean'] as const;
export type AwsClient = (typeof awsClients)[number];

const root = fileURLToPath(new URL('..', import.meta.url));
const standIn =
  /^@(?:aws-sdk|smithy)\/(client-dynamodb|lib-dynamodb|util-dynamodb|client-sqs|client-scheduler|client-lambda|signature-v4|node-http-handler)$/;

/**
 * The file that stands in for a package of the SDK, where deployed source imports it. The source keeps importing the SDK, which
 * stays its types; who runs it, the build, the local runtime or the tests, decides what it gets.
 */
export const standInFor = (specifier: string, importer: string): string | undefined => {
  const [, name] = standIn.exec(specifier) ?? [];
  const isOurs = importer.startsWith(`${root}shared/`) || importer.startsWith(`${root}functions/`);
  return name && isOurs ? `${root}shared/aws/${name}.ts` : undefined;
};
