import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Engine, startEngine } from '../../local/engine/dynamodb.ts';
import { type Runtime, startRuntime } from '../../local/runtime.ts';
import { type Served, serve } from '../support/serve.ts';

/** Response of the engine to a write when a shared memory of 24 MB was full. */
const noSpace = JSON.stringify({
  __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError',
  message:
    'commit failed (backend: database or disk is full) and rollback also failed (backend: cannot rollback - no transaction is active)',
});
const isWrite = /Put|Update|Delete|Write/;

let engine: Engine;
let front: Served;
let runtime: Runtime;
let isFull = false;
beforeEach(async () => {
  isFull = false;
  engine = await startEngine();
  // A proxy in front of the engine that simulates a full disk.
  front = await serve(async (request, response, body) => {
    const target = String(request.headers['x-amz-target']);
    if (isFull && isWrite.test(target)) return response.writeHead(500).end(noSpace);
    const { host: _, 'content-length': __, connection: ___, ...headers } = request.headers as Record<string, string>;
    const answer = await fetch(engine.client.endpoint, { method: 'POST', headers, body });
    return response.writeHead(answer.status).end(await answer.text());
  });
  runtime = await startRuntime({ regions: ['us'], seed: true, locate: () => ({ kind: 'endpoint', url: front.url }) });
});
afterEach(async () => {
  await runtime.stop();
  await front.stop();
  await engine.stop();
});

const spend = async () => {
  const response = await fetch(`${runtime.urls.us}/api/v2/expenses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${runtime.demo.us?.secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 12.5, date: '2026-11-01', category: 'rent' }),
  });
  return { status: response.status, body: await response.json() };
};

test('a full memory is one sentence for the terminal and for each caller, and over as soon as there is space', async () => {
  isFull = true;
  const failed = await spend();
  const sentence = await runtime.outOfSpace;
  isFull = false;
  const written = await spend();
  expect(sentence).toMatch(/^Shared memory \(\/dev\/shm\) is full.*--shm-size.*--data/);
  expect(failed).toEqual({ status: 500, body: { error: { type: 'api_error', code: 'internal_error', message: sentence } } });
  expect(written.status).toBe(201);
});
