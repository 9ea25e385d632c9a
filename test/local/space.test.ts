import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openMemory, type State } from '../../local/engine/state.ts';
import { type Runtime, startRuntime } from '../../local/runtime.ts';

let state: State;
let runtime: Runtime;
beforeEach(async () => {
  state = openMemory();
  runtime = await startRuntime({ regions: ['us'], seed: true, state });
});
afterEach(async () => {
  await runtime.stop();
  state.close();
});

const spend = async () => {
  const response = await fetch(`${runtime.urls.us}/api/v2/expenses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${runtime.demo.us?.secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 12.5, date: '2026-11-01', category: 'rent', notes: 'x'.repeat(1_000) }),
  });
  return { status: response.status, body: await response.json() };
};

/** Writes until the memory is full. Returns the last response. */
const spendAll = async () => {
  for (;;) {
    const response = await spend();
    if (response.status !== 201) return response;
  }
};

test('a full memory is one sentence for the terminal and for each caller, and over as soon as there is space', async () => {
  const pages = Number(state.prepare('PRAGMA page_count').get()?.['page_count']);
  state.exec(`PRAGMA max_page_count = ${pages}`);
  const failed = await spendAll();
  const sentence = await runtime.outOfSpace;
  state.exec('PRAGMA max_page_count = 1000000');
  const written = await spend();
  expect(sentence).toMatch(/^Memory is full.*--data/);
  expect(failed).toEqual({ status: 500, body: { error: { type: 'api_error', code: 'internal_error', message: sentence } } });
  expect(written.status).toBe(201);
});
