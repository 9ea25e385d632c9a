import { afterEach, expect, test } from '@jest/globals';
import { useDelivery } from '../support/delivery.ts';
import { createEndpoint, endpointNow, recordsOf } from '../support/records.ts';
import { onRequest, type RawServer, startRawServer } from '../webhooks/servers.ts';

const t = useDelivery();
const servers: RawServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const rawEndpoint = async (...script: Parameters<typeof startRawServer>) => {
  const server = await startRawServer(...script);
  servers.push(server);
  return { endpoint: await createEndpoint(t.world, t.account.id, `http://127.0.0.1:${server.port}/`), connections: server.connections };
};

test('five receivers that flood interim responses do not delay the other deliveries of an invocation', async () => {
  const interim = Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(1_000));
  const mostBytes = 200_000_000;
  let poured = 0;
  const floods = [];
  for (let i = 0; i < 5; i++) {
    const { endpoint } = await rawEndpoint((socket) =>
      onRequest(socket, () => {
        const pour = (): void => {
          while (!socket.destroyed && poured < mostBytes && socket.write(interim)) poured += interim.length;
          if (poured >= mostBytes) socket.destroy();
        };
        socket.on('drain', pour);
        pour();
      }),
    );
    floods.push(endpoint);
  }
  await t.publish();
  expect(await t.pipeline.deliver(t.pipeline.receive())).toEqual({ batchItemFailures: [] });
  // The buffers of ten sockets; the floods sent twenty times as much while the healthy receiver was
  // served.
  expect(poured).toBeLessThan(40_000_000);
  expect(t.hook.requests).toHaveLength(1);
  expect(await t.record()).toMatchObject({ status: 'delivered', attempts: 0 });
  for (const flood of floods)
    expect(await recordsOf(t.world, flood)).toMatchObject([
      { status: 'pending', attempts: 1, last_error: 'no_response', last_status_code: null },
    ]);
});

test('receivers with endless bodies release their slots, and the same invocation delivers the rest of a burst', async () => {
  let requests = 0;
  const { endpoint } = await rawEndpoint((socket) =>
    onRequest(socket, () => {
      requests += 1;
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
    }),
  );
  await t.publish(10);
  const own = t.pipeline.receive(100).filter(({ body }) => JSON.parse(body).endpoint === endpoint.id);
  expect(own).toHaveLength(10);
  expect(await t.pipeline.deliver(own)).toEqual({ batchItemFailures: [] });
  expect(requests).toBe(10);
  expect(await endpointNow(t.world, endpoint)).toMatchObject({ success_count: 10, slots: [null, null, null, null, null] });
});
