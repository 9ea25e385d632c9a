import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Endpoint } from '../../shared/domain/webhook/record.ts';
import { eventually } from '../support/eventually.ts';
import { createPipeline, type Pipeline } from '../support/pipeline.ts';
import { createEndpoint, recordsOf, writeExpense } from '../support/records.ts';
import { startWorld, type World } from '../support/world.ts';
import { makeCertificates } from './certificates.ts';
import { endServers, openFolder, type Running, run } from './running.ts';
import { apache } from './software/apache.ts';
import { caddy } from './software/caddy.ts';
import { haproxy } from './software/haproxy.ts';
import { nginx } from './software/nginx.ts';
import { python } from './software/python.ts';
import { statuses } from './software/software.ts';

const all = [python, nginx, caddy, apache, haproxy];
const running = new Map<string, Running>();
const serverOf = (name: string): Running => {
  const server = running.get(name);
  if (!server) throw new Error(`${name} does not run.`);
  return server;
};

let world: World;
let pipeline: Pipeline;
beforeAll(async () => {
  const certificates = await makeCertificates(openFolder());
  tls.setDefaultCACertificates([readFileSync(certificates.authority, 'utf8')]);
  for (const software of all) running.set(software.name, await run(software, certificates, running.get(python.name)));
  world = await startWorld();
  pipeline = createPipeline(world);
});
afterAll(async () => {
  pipeline?.close();
  await world?.stop();
  await endServers();
});

interface Case {
  readonly software: string;
  readonly habit: string;
  readonly status: number;
}
const cases: readonly Case[] = all.flatMap(({ name, habits }) =>
  Object.entries(habits).flatMap(([habit, { statuses: own = statuses }]) => own.map((status) => ({ software: name, habit, status }))),
);

const urlOf = ({ software, habit, status }: Case, id: string): string => {
  const { software: of, setup } = serverOf(software);
  const port = of.habits[habit]?.port ?? 'http';
  return `${port === 'https' ? 'https' : 'http'}://localhost:${setup[port]}/${status}/${habit}?${id}`;
};

/** Texts as merchants write them: quotes, signs, umlauts and an emoji. */
const expense = { description: 'Mehl "Type 550", 25 kg & Zucker (50 %) – für Ostern 🐣', notes: "Don't forget: it's 10% off" };

/** Creates an endpoint at the case's URL, with a query that no other request has. */
const endpointAt = async (one: Case, id: string, account: string): Promise<Endpoint> =>
  await createEndpoint(world, account, urlOf(one, id));

const whatTheStatusSays = (status: number) =>
  status >= 200 && status < 300
    ? { status: 'delivered', attempts: 0, last_status_code: status, last_error: null }
    : { status: 'pending', attempts: 1, last_status_code: status, last_error: status === 301 ? 'redirect_not_followed' : 'http_error' };

describe('the outcome of one delivery', () => {
  const seen = new Map<Case, { readonly record: unknown; readonly requests: () => number }>();
  beforeAll(async () => {
    const endpoints = new Map<Case, Endpoint>();
    for (const [number, one] of cases.entries()) {
      const { id } = await world.createAccount();
      endpoints.set(one, await endpointAt(one, `n=${number};`, id));
      await writeExpense(world, id, expense);
    }
    await pipeline.drain();
    for (const [number, one] of cases.entries()) {
      const [record] = await recordsOf(world, endpoints.get(one) as Endpoint);
      seen.set(one, { record, requests: () => serverOf(one.software).requestsWith(`?n=${number};`) });
    }
  });

  test.each(cases)('a delivery to $software that responds with $status ($habit) is judged by the status and sent once', async (one) => {
    const { record, requests } = seen.get(one) ?? {};
    expect(record).toMatchObject(whatTheStatusSays(one.status));
    // A server may log a request after its response.
    expect(
      await eventually(
        () => requests?.() ?? 0,
        (seen) => seen > 0,
      ),
    ).toBe(1);
  });
});

test('a server that ends idle connections after a second gets each of five deliveries once, a second apart', async () => {
  const { id } = await world.createAccount();
  const plain = all.map(({ name }) => ({ software: name, habit: 'plain', status: 200 }));
  for (const one of plain) await endpointAt(one, 'idle;', id);
  for (let i = 0; i < 5; i++) {
    await writeExpense(world, id, expense);
    await pipeline.drain();
    await new Promise((resolve) => setTimeout(resolve, 990 + i * 5));
  }
  for (const { name } of all) {
    const requests = await eventually(
      () => serverOf(name).requestsWith('?idle;'),
      (seen) => seen >= 5,
    );
    expect([name, requests]).toEqual([name, 5]);
  }
});

test('the servers do what their habits say', async () => {
  const raw = async (software: string, path: string): Promise<string> => {
    const socket = connect(serverOf(software).setup.http, '127.0.0.1');
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`);
    return (await buffer(socket)).toString('latin1');
  };
  for (const { name } of [nginx, python]) expect(await raw(name, '/200/folded')).toMatch(/\n {4}img-src/);
  for (const { name } of all) expect((await raw(name, '/200/long')).length).toBeGreaterThan(24_000);
  for (const { name } of all) expect(await raw(name, '/200/chunked')).toMatch(/\r\ntransfer-encoding: chunked/i);
  // Caddy unpacks what it forwards.
  for (const { name } of [nginx, apache, haproxy, python]) expect(await raw(name, '/200/gzip')).toContain('\u001f\u008b');
  for (const { name } of [apache, python]) expect(await raw(name, '/200/old')).toMatch(/^HTTP\/1.0 200 /);
  expect(await raw(haproxy.name, '/200/hints')).toMatch(/^HTTP\/1.1 103 /);
});

test('the rules of OWASP reject what they are for, so that the test of them can fail', async () => {
  const { setup } = serverOf(apache.name);
  const response = await fetch(`http://localhost:${setup.other}/200/guarded?q=%3Cscript%3Ealert(1)%3C/script%3E`, {
    method: 'POST',
    body: '{}',
  });
  expect(response.status).toBe(403);
});
