import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { connectQueue } from '../../shared/providers/queue.ts';
import { type ApiServer, credentials, startApiServer } from './api-server.ts';

const region = 'us-east-1';
const message = (body: string) => ({ body, groupId: 'acct_1' });

describe('a real queue', () => {
  let server: FauxqsServer;
  let queueUrl: string;
  let client: { endpoint: string; region: string; credentials: typeof credentials };

  beforeAll(async () => {
    server = await startFauxqs({ port: 0, logger: false });
    ({ queueUrl } = server.createQueue('deliveries'));
    client = { endpoint: `http://127.0.0.1:${server.port}`, region, credentials };
  });
  afterAll(() => server.stop());

  test('any number of messages arrive with body, message group and delay', async () => {
    const bodies = Array.from({ length: 23 }, (_, i) => `message ${i}`);
    await connectQueue({ queueUrl, client }).send([...bodies.map(message), { ...message('later'), delaySeconds: 900 }]);
    const sqs = new SQSClient(client);
    const found: { body: string | undefined; group: string | undefined }[] = [];
    for (;;) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10, MessageSystemAttributeNames: ['MessageGroupId'] }),
      );
      if (Messages.length === 0) break;
      found.push(...Messages.map(({ Body, Attributes }) => ({ body: Body, group: Attributes?.MessageGroupId })));
    }
    sqs.destroy();
    expect(new Set(found.map(({ body }) => body))).toEqual(new Set(bodies));
    expect(found).toHaveLength(23);
    expect(server.inspectQueue('deliveries')?.messages.delayed).toHaveLength(1);
  });

  test('an empty list of messages makes no call', async () => {
    const nowhere = connectQueue({ queueUrl: 'http://127.0.0.1:9/none', client: { ...client, endpoint: 'http://127.0.0.1:9' } });
    await expect(nowhere.send([])).resolves.toBeUndefined();
  });
});

describe('a response of SQS', () => {
  let api: ApiServer;
  const queue = () =>
    connectQueue({ queueUrl: `${api.endpoint}/000000000000/deliveries`, client: { endpoint: api.endpoint, region, credentials } });
  const stored = (count: number) => ({
    Successful: Array.from({ length: count }, (_, i) => ({ Id: String(i), MessageId: `m-${i}`, MD5OfMessageBody: '' })),
  });

  beforeAll(async () => {
    api = await startApiServer();
  });
  afterAll(() => api.stop());

  test('a response of SQS that rejects some of the messages is an error', async () => {
    api.script({ body: { ...stored(0), Failed: [{ Id: '1', Code: 'InternalError', SenderFault: false }] } });
    await expect(queue().send([message('a'), message('b')])).rejects.toThrow('1 of 2 messages refused by SQS: InternalError');
  });

  test('a response of SQS that throttles is followed by another call', async () => {
    const throttled = { status: 400, headers: { 'x-amzn-query-error': 'RequestThrottled;Sender' }, body: { __type: 'RequestThrottled' } };
    api.script(throttled, { body: { Successful: [] } });
    await queue().send([message('a')]);
    expect(api.calls).toHaveLength(2);
  });

  test('a response of SQS that rejects the call is an error', async () => {
    api.script({ status: 400, body: { __type: 'com.amazonaws.sqs#QueueDoesNotExist', message: 'gone' } });
    await expect(queue().send([message('a')])).rejects.toThrow('gone');
  });
});
