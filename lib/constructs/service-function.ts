import { type PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  type Code,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { FieldIndexPolicy, LogGroup } from 'aws-cdk-lib/aws-logs';
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type EnvironmentName, environment, type SecretPurpose } from '../../shared/core/config.ts';
import { type FunctionName, type FunctionSpec, specOf, withNotices } from '../functions.ts';
import { type LogGroupName, logGroupOf } from '../metrics.ts';
import {
  accountInFindings,
  acknowledge,
  allow,
  keyStatements,
  keyUse,
  type Reasons,
  serviceHost,
  tableStatements,
  tracingReasons,
} from '../permissions.ts';
import type { DataTables } from './data-table.ts';

export type CodeProvider = (name: FunctionName) => Code;

/** Values that every function of a region shares. */
export interface FunctionContext {
  readonly code: CodeProvider;
  readonly data: DataTables;
  readonly environment: Readonly<Record<EnvironmentName, string>>;
  readonly reservedConcurrency: Readonly<Record<string, number>>;
  readonly logGroups: LogGroupsOfFunctions;
  /** Whether X-Ray records invocations. */
  readonly tracing: boolean;
  /** Whether the platform gets notices. */
  readonly notices: boolean;
}

interface ServiceFunctionOptions {
  /** Rights on resources other than the table, from the construct that owns the resource. */
  readonly statements?: readonly PolicyStatement[];
  /** Reasons for wildcards in `statements`. */
  readonly reasons?: Reasons;
  /** Set if the function sends messages to the queue that invokes it. */
  readonly sendsToItself?: true;
}

const dataStatements = (stack: Stack, spec: FunctionSpec, { key, table, buckets }: DataTables): PolicyStatement[] => [
  ...tableStatements(table.tableArn, spec.table),
  ...(spec.table.length > 0 ? keyStatements(key, keyUse(spec.table), serviceHost(stack, 'dynamodb')) : []),
  ...(spec.countsRates ? [allow(['dynamodb:UpdateItem'], buckets.tableArn)] : []),
];

/**
 * Returns the right to read the secrets of one purpose, of all accounts, because a function serves
 * all accounts. Parameters use AWS's default key, which lets readers decrypt through Parameter
 * Store. So no right on a key is needed.
 */
const secretsRight = (stack: Stack, prefix: string, purpose: SecretPurpose) => {
  const resource = stack.formatArn({ service: 'ssm', resource: 'parameter', resourceName: `${prefix.slice(1)}/*/${purpose}/*` });
  return {
    statement: allow(['ssm:GetParameters'], resource),
    reasons: {
      [`AwsSolutions-IAM5[Resource::arn:aws:ssm:${stack.region}:${accountInFindings(stack)}:parameter${prefix}/*/${purpose}/*]`]:
        'Merchants add secrets under names of their own, below their account and the purpose, which code puts before the name.',
    },
  };
};

const pascal = (name: string): string => name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Creates a function of `functions/` with the memory, timeout and rights of its row in
 * `lib/functions.ts`.
 */
export const createServiceFunction = (
  scope: Construct,
  name: FunctionName,
  { code, data, environment: values, reservedConcurrency, logGroups, tracing, notices }: FunctionContext,
  { statements = [], reasons = {}, sendsToItself }: ServiceFunctionOptions = {},
): LambdaFunction => {
  const here = new Construct(scope, pascal(name));
  const stack = Stack.of(scope);
  const spec = notices ? withNotices(specOf(name)) : specOf(name);
  const logGroup = logGroups.of(here, name);
  const role = new Role(here, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  const logs = allow(['logs:CreateLogStream', 'logs:PutLogEvents'], logGroup.logGroupArn);
  const secrets = (spec.readsSecrets ?? []).map((purpose) => secretsRight(stack, values[environment.secretsPrefix], purpose));
  for (const statement of [logs, ...dataStatements(stack, spec, data), ...secrets.map(({ statement }) => statement), ...statements])
    role.addToPolicy(statement);
  acknowledge(role, {
    ...(tracing && tracingReasons),
    ...Object.assign({}, ...secrets.map(({ reasons }) => reasons)),
    ...reasons,
  });
  const reserved = reservedConcurrency[name];
  return new LambdaFunction(here, 'Function', {
    functionName: `${stack.stackName}-${name}`,
    description: spec.description,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: 'index.handler',
    code: code(name),
    role,
    logGroup,
    memorySize: spec.memoryMb,
    timeout: Duration.seconds(spec.timeoutSeconds),
    environment: { ...Object.fromEntries(spec.environment.map((variable) => [variable, values[variable]])), ...spec.runtime },
    tracing: tracing ? Tracing.ACTIVE : Tracing.DISABLED,
    // Turns Lambda's START, END and REPORT lines off, which would triple a request's log bytes.
    // Metrics have the same facts.
    loggingFormat: LoggingFormat.JSON,
    applicationLogLevelV2: ApplicationLogLevel.INFO,
    systemLogLevelV2: SystemLogLevel.WARN,
    ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
    ...(sendsToItself && { recursiveLoop: RecursiveLoop.ALLOW }),
  });
};

const logGroupNameOf = (stackName: string, name: LogGroupName): string => `/aws/lambda/${stackName}-${name}`;

export const apiLogGroupName = (stackName: string): string => logGroupNameOf(stackName, 'api');

export type LogGroups = Readonly<Record<LogGroupName, LogGroup>>;

interface LogGroupsOfFunctions {
  /**
   * Returns the log group of a function: a shared one, or a new one within the function's
   * construct.
   */
  readonly of: (here: Construct, name: FunctionName) => LogGroup;
  /** Returns all log groups. Call it after every function was created. */
  readonly all: () => LogGroups;
}

/**
 * Creates the log groups of a region's functions. Their names are fixed, so each must keep its
 * logical id: CloudFormation creates new resources before it deletes old ones, and two groups with
 * the same name conflict.
 */
export const openLogGroups = (scope: Construct, retention: number): LogGroupsOfFunctions => {
  const made = new Map<LogGroupName, LogGroup>();
  const shared = new Construct(scope, 'Logs');
  const make = (parent: Construct, id: string, name: LogGroupName): LogGroup => {
    const logGroupName = logGroupNameOf(Stack.of(scope).stackName, name);
    // `request.list` searches the lines of one account or of one request.
    const indexes = name === 'api' && { fieldIndexPolicies: [new FieldIndexPolicy({ fields: ['account', 'rid'] })] };
    const group = new LogGroup(parent, id, { logGroupName, retention, removalPolicy: RemovalPolicy.DESTROY, ...indexes });
    made.set(name, group);
    return group;
  };
  return {
    of(here, functionName) {
      const name = logGroupOf(functionName);
      return made.get(name) ?? (name === functionName ? make(here, 'Logs', name) : make(shared, name, name));
    },
    all: () => Object.fromEntries(made) as LogGroups,
  };
};
