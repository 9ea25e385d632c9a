import { crc32 } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { promptRetries } from '../support/faults.ts';
import { clients, outcomeOf, type Scripted, type Side } from './oracle.ts';

const sending = (side: Side, command: string, input: unknown): Promise<any> => side.documents.send(new side.lib[command](input));

const failing = (type: string, members: object = {}, status = 400): Scripted => ({
  status,
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: `About ${type}.`, ...members }),
});
const broken = (code: string) => Object.assign(new Error('internals of a socket'), { code });

const misbehaviours: readonly (readonly [string, readonly (Scripted | Error)[]])[] = [
  ['a condition that failed', [failing('ConditionalCheckFailedException', { Item: { pk: { S: 'a' } } })]],
  [
    'a transaction cancelled',
    [
      failing('TransactionCanceledException', {
        CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Message: 'm', Item: { n: { N: '1' } } }],
      }),
    ],
  ],
  ['a transaction conflict', [failing('TransactionConflictException')]],
  ['no rights', [failing('AccessDeniedException')]],
  ['an invalid request', [failing('ValidationException')]],
  ['a token that expired', [failing('ExpiredTokenException')]],
  ['an unknown table', [failing('ResourceNotFoundException')]],
  ['an error without a name', [{ status: 400, body: '{}' }]],
  ['an error without a body', [{ status: 400, body: '' }]],
  [
    'a name in the header',
    [{ status: 409, body: '{"Message":"There is one."}', headers: { 'x-amzn-errortype': 'ConflictException:http://x/' } }],
  ],
  ['too many requests', [{ status: 429, body: '{}' }]],
  ...[
    'ThrottlingException',
    'ProvisionedThroughputExceededException',
    'RequestLimitExceeded',
    'LimitExceededException',
    'TransactionInProgressException',
  ].map((type) => [type, [failing(type)]] as const),
  ...[500, 501, 502, 503, 504, 505].map((status) => [`status ${status}`, [failing('InternalServerError', {}, status)]] as const),
  ...['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'CERT_HAS_EXPIRED'].map(
    (code) => [code, [broken(code)]] as const,
  ),
  ['a time-out', [Object.assign(new Error('too late'), { name: 'TimeoutError' })]],
  ['one failure, then an answer', [failing('InternalServerError', {}, 500), { status: 200, body: '{"Item":{"a":{"S":"b"}}}' }]],
  ['two failures, then an answer', [broken('ECONNRESET'), failing('ThrottlingException'), { status: 200, body: '{}' }]],
  ['three failures, then an answer', [broken('EPIPE'), broken('EPIPE'), broken('EPIPE'), { status: 200, body: '{}' }]],
];

test.each(misbehaviours)('%s: the same error after the same number of attempts as with the SDK', async (_, script) => {
  const { sdk, lean } = clients(script, { retryStrategy: promptRetries });
  const [theirs, ours] = await Promise.all(
    [sdk, lean].map((side) => outcomeOf(() => sending(side, 'GetCommand', { TableName: 'table', Key: { pk: 'a' } }))),
  );
  expect(ours).toEqual(theirs);
  expect(lean.sent.length).toBe(sdk.sent.length);
  expect(lean.sent.length).toBeGreaterThan(0);
});

test('a page of a proxy in the place of an answer is a failure of the service, tried as often as with the SDK', async () => {
  const { sdk, lean } = clients([{ status: 502, body: '<html>' }], { retryStrategy: promptRetries });
  const [theirs, ours] = await Promise.all(
    [sdk, lean].map((side) => outcomeOf(() => sending(side, 'GetCommand', { TableName: 'table', Key: { pk: 'a' } }))),
  );
  expect(ours.error).toMatchObject({ name: 'Unknown', fault: 'server', status: theirs.error.status });
  expect([lean.sent.length, sdk.sent.length]).toEqual([3, 3]);
});

test('errors that callers tell apart are of the classes they import', async () => {
  for (const type of ['ConditionalCheckFailedException', 'TransactionCanceledException'] as const) {
    const { lean } = clients([failing(type)]);
    await expect(sending(lean, 'GetCommand', { TableName: 'table', Key: { pk: 'a' } })).rejects.toBeInstanceOf(lean.dynamo[type]);
  }
  const { lean } = clients([{ status: 409, body: '{}', headers: { 'x-amzn-errortype': 'ConflictException' } }]);
  await expect(lean.scheduler.send(new lean.schedulerCommands.CreateScheduleCommand({ Name: 'a' }))).rejects.toBeInstanceOf(
    lean.schedulerCommands.ConflictException,
  );
});

test('a clock that is off by hours is corrected by what the service says, as the SDK does', async () => {
  const date = new Date(Date.now() + 3 * 3_600_000).toUTCString();
  for (const type of ['InvalidSignatureException', 'RequestExpired', 'RequestTimeTooSkewed', 'SignatureDoesNotMatch']) {
    const { sdk, lean } = clients(
      [
        { ...failing(type), headers: { date } },
        { status: 200, body: '{}', headers: { date } },
      ],
      { retryStrategy: promptRetries },
    );
    for (const side of [sdk, lean]) {
      await sending(side, 'GetCommand', { TableName: 'table', Key: { pk: 'a' } });
      expect(side.sent).toHaveLength(2);
      const [first = '', second = ''] = side.sent.map(({ headers }) => headers['x-amz-date']);
      expect(Number(second.slice(9, 11)) - Number(first.slice(9, 11))).toBe(
        ((Number(first.slice(9, 11)) + 3) % 24) - Number(first.slice(9, 11)),
      );
    }
  }
});

test('an answer that was damaged on the way is asked for again', async () => {
  const body = '{"Item":{"a":{"S":"b"}}}';
  const answer = (sum: number): Scripted => ({ status: 200, body, headers: { 'x-amz-crc32': String(sum) } });
  const get = { TableName: 'table', Key: { pk: 'a' } };
  const { lean } = clients([answer(1), answer(crc32(body))], { retryStrategy: promptRetries });
  expect(await sending(lean, 'GetCommand', get)).toEqual({ Item: { a: 'b' } });
  expect(lean.sent).toHaveLength(2);
  const never = clients([answer(1)], { retryStrategy: promptRetries }).lean;
  await expect(sending(never, 'GetCommand', get)).rejects.toThrow('CRC');
  expect(never.sent).toHaveLength(3);
});
