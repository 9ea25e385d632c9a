import { fileURLToPath } from 'node:url';

/** Who speaks to AWS for the service's functions: lean clients of our own, or the SDK's (docs/decisions/0023-lean-aws-clients.md). */
export const awsClients = ['lean', 'sdk'] as const;
export type AwsClient = (typeof awsClients)[number];

/** Who does where nothing is said. */
export const defaultAwsClient: AwsClient = 'lean';

/** Who does in this process, as AWS_CLIENT says; throws a sentence where it says anything else. */
export const awsClientOf = ({ AWS_CLIENT: said = defaultAwsClient }: Readonly<Record<string, string | undefined>>): AwsClient => {
  const client = awsClients.find((one) => one === said);
  if (!client) throw new Error(`AWS_CLIENT must be one of ${awsClients.join(', ')}, not "${said}".`);
  return client;
};

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
