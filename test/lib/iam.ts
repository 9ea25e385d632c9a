import type { Template } from 'aws-cdk-lib/assertions';
import { resourcesOf } from './synthesize.ts';

export interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: readonly string[];
  /** `<LogicalId.Arn>` stands for a resource of the stack. */
  readonly Resource: readonly string[];
  readonly Condition: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A template value as text: references in angle brackets, joins joined. */
export const flatten = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return String(value);
  const [[key, argument] = []] = Object.entries(value);
  if (key === 'Ref') return `<${argument}>`;
  if (key === 'Fn::GetAtt') return `<${(argument as string[]).join('.')}>`;
  if (key === 'Fn::Join') return (argument as [string, unknown[]])[1].map(flatten).join((argument as [string, unknown[]])[0]);
  if (key === 'Fn::Sub') return String(argument).replaceAll(/\$\{([\w:]+)\}/g, '<$1>');
  throw new Error(`Not flattened: ${JSON.stringify(value)}`);
};

/** Name, without the stack's, of the function that a reference means: itself, or through its alias. */
export const functionNameOf = (template: Template, reference: unknown): string => {
  const id = /<(\w+)(?:\.Arn)?>/.exec(flatten(reference))?.[1] ?? '';
  const alias = resourcesOf(template, 'AWS::Lambda::Alias')[id];
  if (alias) return functionNameOf(template, alias.Properties['FunctionName']);
  return String(resourcesOf(template, 'AWS::Lambda::Function')[id]?.Properties['FunctionName']).replace('BakeryCommerce-us-', '');
};

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

/** Returns the statements of a policy document. */
export const readStatements = (policy: unknown): Statement[] =>
  (policy as { Statement: Record<string, unknown>[] }).Statement.map(({ Effect, Action, Resource, Condition }) => ({
    Effect: Effect as 'Allow' | 'Deny',
    Action: list(Action) as string[],
    Resource: list(Resource ?? []).map(flatten),
    Condition: (Condition ?? {}) as Statement['Condition'],
  }));

/** Every statement of every policy attached to the role. */
export const statementsOfRole = (template: Template, roleId: string): Statement[] =>
  Object.values(resourcesOf(template, 'AWS::IAM::Policy'))
    .filter(({ Properties }) => (Properties['Roles'] as unknown[]).map(flatten).includes(`<${roleId}>`))
    .flatMap(({ Properties }) => readStatements(Properties['PolicyDocument']));

/** Statements of the role of the function named `<stack>-<name>`. */
export const statementsOf = (template: Template, name: string): Statement[] => {
  const found = Object.values(resourcesOf(template, 'AWS::Lambda::Function')).find(({ Properties }) =>
    String(Properties['FunctionName']).endsWith(`-${name}`),
  );
  if (!found) throw new Error(`No function ${name}`);
  const [role = ''] = (found.Properties['Role'] as { 'Fn::GetAtt': string[] })['Fn::GetAtt'];
  return statementsOfRole(template, role);
};

/** An authorization request to IAM for one call. */
export interface IamRequest {
  /** `dynamodb:GetItem` */
  readonly action: string;
  /** As `flatten` writes it; a table's ARN ends with `/index/<name>` if an index is read. */
  readonly resource: string;
  /** Partition keys that a DynamoDB call names; undefined if it names none, as a Scan. */
  readonly leadingKeys?: readonly string[] | undefined;
  /** Service that a role is passed to. */
  readonly passedToService?: string;
}

const like = (pattern: string, value: string): boolean =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`).test(value);

const holds = ({ Condition }: Statement, { leadingKeys, passedToService }: IamRequest): boolean =>
  Object.entries(Condition).every(([operator, keys]) => {
    const expected = keys['dynamodb:LeadingKeys'];
    if (operator === 'StringEquals' && keys['iam:PassedToService'] !== undefined) return keys['iam:PassedToService'] === passedToService;
    if (expected === undefined) throw new Error(`Condition not modelled: ${JSON.stringify(Condition)}`);
    if (operator === 'Null') return String(expected) === String(leadingKeys === undefined);
    // As IAM reads it: true for a request without the key.
    if (operator === 'ForAllValues:StringLike')
      return (leadingKeys ?? []).every((key) => list(expected).some((pattern) => like(String(pattern), key)));
    throw new Error(`Operator not modelled: ${operator}`);
  });

/**
 * Merges a call's parts that have the same action and resource. AWS does not document whether IAM
 * checks each key of a transaction or batch, or the set of keys. So a policy has to allow each part
 * and each merged set.
 */
export const asSets = (parts: readonly IamRequest[]): IamRequest[] =>
  [...Map.groupBy(parts, ({ action, resource }) => `${action} ${resource}`).values()].map((same) => {
    const leadingKeys = same.flatMap((part) => part.leadingKeys ?? []);
    // If one part has no key, the whole set has none.
    return { ...(same[0] as IamRequest), leadingKeys: same.every((part) => part.leadingKeys) ? leadingKeys : undefined };
  });

/** Returns the statement that allows a request; undefined if IAM would reject it. */
export const statementAllowing = (statements: readonly Statement[], request: IamRequest): Statement | undefined =>
  statements.find(
    (statement) =>
      statement.Effect === 'Allow' &&
      statement.Action.some((action) => like(action, request.action)) &&
      statement.Resource.some((resource) => like(resource, request.resource)) &&
      holds(statement, request),
  );

/** Whether IAM would allow a request. */
export const allows = (statements: readonly Statement[], request: IamRequest): boolean =>
  statementAllowing(statements, request) !== undefined;

/** Whether IAM would allow a call with several parts under both interpretations of its keys. */
export const allowsCall = (statements: readonly Statement[], parts: readonly IamRequest[]): boolean =>
  [...parts, ...asSets(parts)].every((request) => allows(statements, request));

/** Every action on every resource that the statements allow, as `sqs:SendMessage <Queue.Arn>`. */
export const rightsOf = (statements: readonly Statement[]): string[] => [
  ...new Set(statements.flatMap(({ Action, Resource }) => Action.flatMap((action) => Resource.map((resource) => `${action} ${resource}`)))),
];

/** Returns the right, in the format of `rightsOf`, that a request uses. */
export const rightUsed = (statement: Statement, { action, resource }: IamRequest): string =>
  `${action} ${statement.Resource.find((pattern) => like(pattern, resource))}`;
