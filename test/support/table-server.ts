import { createHash } from 'node:crypto';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { bind, holds, projected } from '../../local/engine/commands/expressions.ts';
import { parseCondition, parseProjection } from '../../local/engine/commands/parser.ts';
import { compareText, type Item } from '../../local/engine/commands/values.ts';
import { commandOf } from './commands.ts';
import type { TestEngine } from './engine.ts';
import { serve } from './serve.ts';

/** A call that an operator's command makes of DynamoDB. */
export interface TableCall {
  readonly operation: string;
  readonly input: Readonly<Record<string, any>>;
}

/** Makes a call or fails it; undefined loses its response. */
export type TableHook = (call: TableCall, send: () => Promise<object>) => Promise<object | undefined>;

const segmentOf = ({ pk }: Item, segments: number): number => createHash('sha256').update(String(pk)).digest().readUInt16BE(0) % segments;

const orderOf = ({ pk, sk }: Item): string => `${pk}\u0000${sk}`;

/** Reads a page of a segment, which the embedded engine does not do, because no function scans. */
const scan = async (engine: TestEngine, pageSize: number, input: TableCall['input']): Promise<object> => {
  const { TableName, Segment, TotalSegments, ExclusiveStartKey: start, FilterExpression, ProjectionExpression } = input;
  const [filter, projection] = [parseCondition(FilterExpression), parseProjection(ProjectionExpression)];
  const scope = bind(input, filter, projection);
  const items = ((await engine.items(TableName)) as Item[])
    .filter((item) => segmentOf(item, TotalSegments) === Segment && (!start || compareText(orderOf(item), orderOf(start)) > 0))
    .sort((a, b) => compareText(orderOf(a), orderOf(b)));
  const page = items.slice(0, pageSize);
  const last = page.length < items.length ? page.at(-1) : undefined;
  const found = page.filter((item) => holds(filter.tree, item, scope)).map((item) => projected(item, projection.tree, scope));
  return { Items: found, ScannedCount: page.length, ...(last && { LastEvaluatedKey: { pk: last['pk'], sk: last['sk'] } }) };
};

const plain = (input: TableCall['input']): TableCall['input'] =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      ['Key', 'ExclusiveStartKey', 'ExpressionAttributeValues'].includes(name) ? unmarshall(value) : value,
    ]),
  );

const encoded = ({ Items, LastEvaluatedKey, ...output }: Record<string, any>): object => ({
  ...output,
  ...(Items && { Items: Items.map((item: object) => marshall(item)) }),
  ...(LastEvaluatedKey && { LastEvaluatedKey: marshall(LastEvaluatedKey) }),
});

/** Serves a table of a test as DynamoDB does, for a command with a client of its own. */
export const serveTable = async (engine: TestEngine, tableId: string) => {
  const calls: TableCall[] = [];
  let pageSize = 3;
  let hook: TableHook = (_call, send) => send();
  const send = async ({ operation, input }: TableCall): Promise<object> => {
    if (operation === 'DescribeTable') return { Table: { TableName: input['TableName'], TableId: tableId } };
    if (operation === 'Scan') return encoded((await scan(engine, pageSize, input)) as Record<string, any>);
    if (operation !== 'UpdateItem') throw new Error(`The table does not serve ${operation}.`);
    await engine.client.send(commandOf('Update', input) as never);
    return {};
  };
  const served = await serve(async (request, response, body) => {
    const call = { operation: String(request.headers['x-amz-target']).split('.')[1] ?? '', input: plain(JSON.parse(String(body))) };
    calls.push(call);
    try {
      const output = await hook(call, () => send(call));
      if (output === undefined) return request.socket.destroy();
      return response.end(JSON.stringify(output));
    } catch (error) {
      const { name, message } = error as Error;
      return response.writeHead(400).end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message }));
    }
  });
  return {
    ...served,
    calls,
    /** Sets how many records a page has, instead of 1 MB. */
    setPageSize(records: number) {
      pageSize = records;
    },
    intercept(next?: TableHook) {
      hook = next ?? ((_call, run) => run());
    },
  };
};
