import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { connectOperatedQueue, type OperatedQueue } from '../../shared/providers/operated-queue.ts';
import { credentials } from './api-server.ts';

let server: FauxqsServer;
let queue: OperatedQueue;
beforeAll(async () => {
  server = await startFauxqs({ port: 0, logger: false });
  const { queueUrl } = server.createQueue('deliveries');
  const client = { endpoint: `http://127.0.0.1:${server.port}`, region: 'us-east-1', credentials };
  queue = connectOperatedQueue({ queueUrl, client });
});
afterAll(() => server.stop());

test('a received message is held, returns if it is released, and is gone if it is removed', async () => {
  await queue.send(Array.from({ length: 12 }, (_, i) => ({ body: `message ${i}`, groupId: 'acct_1' })));
  await queue.send([{ body: 'later', groupId: 'acct_1', delaySeconds: 900 }]);
  expect(await queue.depth()).toEqual({ waiting: 12, in_flight: 0, delayed: 1 });
  const leased = [...(await queue.receive()), ...(await queue.receive())];
  expect(leased).toHaveLength(12);
  expect(leased[0]).toMatchObject({ receiveCount: 1, sentMs: expect.any(Number) });
  expect(await queue.depth()).toEqual({ waiting: 0, in_flight: 12, delayed: 1 });
  await queue.release(leased);
  expect(await queue.depth()).toEqual({ waiting: 12, in_flight: 0, delayed: 1 });
  const again = [...(await queue.receive()), ...(await queue.receive())];
  await queue.remove(again);
  expect(await queue.depth()).toEqual({ waiting: 0, in_flight: 0, delayed: 1 });
});

test('an empty queue returns no message', async () => {
  expect(await queue.receive()).toEqual([]);
  await queue.remove([]);
  await queue.release([]);
});
