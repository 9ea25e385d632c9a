import { beforeEach, expect, test } from '@jest/globals';
import type { Merchant } from '../support/journey.ts';
import { shared } from '../support/shared.ts';
import { visitAs } from './browser.ts';
import { startDevelopers } from './developers.ts';
import { startStorefront } from './storefront.ts';

const developers = shared(startDevelopers);
const stranger = shared(startStorefront);
let merchant: Merchant;
beforeEach(async () => {
  merchant = await developers.journey.merchant();
});

const call = () =>
  JSON.stringify({ region: 'us', account: merchant.account, action: 'key.create', input: { type: 'secret', name: 'Stolen' } });
const names = async () => ((await merchant.act('key.list')).data as { name: string }[]).map(({ name }) => name);
const actionUrls = () => [`${developers.origin}/developers/actions`, `${developers.origin}/_local/actions`];
const ask = (url: string, headers: Record<string, string>, body = call()) =>
  developers.journey.request(url, 'POST', { body, headers: { origin: developers.origin, ...headers } });

test('a page on another origin cannot run an action with fetch in any mode, a form or a beacon', async () => {
  const { page, close } = await visitAs(developers.browser, 'desktop');
  for (const url of actionUrls()) {
    await page.goto(stranger.origin);
    const readable = await page.evaluate(
      `(async ([url, body]) => {
        const send = (init) => fetch(url, { method: 'POST', body, ...init }).then(() => 'sent', () => 'blocked');
        const withCors = await send({ headers: { 'content-type': 'application/json' } });
        await send({ mode: 'no-cors' });
        await send({ mode: 'no-cors', headers: { 'content-type': 'text/plain' } });
        navigator.sendBeacon(url, body);
        const form = Object.assign(document.createElement('form'), { method: 'post', action: url, enctype: 'text/plain', target: 'frame' });
        const field = Object.assign(document.createElement('input'), { name: body.slice(0, -1) + ',"x":"', value: '"}' });
        const frame = Object.assign(document.createElement('iframe'), { name: 'frame' });
        form.append(field);
        document.body.append(frame, form);
        await new Promise((done) => { frame.onload = done; form.submit(); });
        return withCors;
      })(${JSON.stringify([url, call()])})`,
    );
    expect(readable).toBe('blocked');
  }
  expect(await names()).toEqual(['journey']);
  await close();
});

test('a page on another origin can neither read nor frame the Developers page', async () => {
  const { page, close } = await visitAs(developers.browser, 'desktop');
  await page.goto(stranger.origin);
  const read = (path: string) => page.evaluate(`fetch(${JSON.stringify(developers.origin + path)}).then(() => 'read', () => 'blocked')`);
  expect([await read('/developers/accounts'), await read('/developers/')]).toEqual(['blocked', 'blocked']);
  const { headers } = await developers.journey.request(`${developers.origin}/developers/`, 'GET');
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['content-security-policy']).not.toContain('unsafe');
  await close();
});

test('the Developers page itself can run an action', async () => {
  const { status, body } = await ask(`${developers.origin}/developers/actions`, { 'sec-fetch-site': 'same-origin' });
  expect([status, body.ok]).toEqual([200, true]);
  expect(await names()).toEqual(['journey', 'Stolen']);
});

test.each<[string, Record<string, string>]>([
  ['no origin', { origin: '' }],
  ['an opaque origin', { origin: 'null' }],
  ['another port of this machine', { origin: 'http://127.0.0.1:3000' }],
  ['another name of this machine', { origin: 'http://localhost:4000' }],
  ['a browser that says it is another site', { 'sec-fetch-site': 'same-site' }],
  ['what a form sends', { 'content-type': 'text/plain' }],
  ['what another form sends', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['JSON beside what a form sends', { 'content-type': 'text/plain; application/json' }],
])('an action is rejected if the request is %s', async (_name, headers) => {
  expect((await ask(`${developers.origin}/developers/actions`, headers)).status).toBe(403);
  expect(await names()).toEqual(['journey']);
});

test.each(['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example', '192.168.0.2'])(
  'a foreign host name that resolves to this machine (%s) gets neither the page nor the actions',
  async (name) => {
    const host = `${name}:${developers.journey.runtime.port}`;
    const headers = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
    for (const url of actionUrls()) expect((await ask(url, headers)).status).toBe(403);
    for (const path of ['/developers/', '/developers/accounts', '/developers/host.js'])
      expect((await developers.journey.request(`${developers.origin}${path}`, 'GET', { headers })).status).toBe(403);
    expect(await names()).toEqual(['journey']);
  },
);

test.each(['account.update', 'order.delete', 'stream.replay', 'toString'])('the page cannot run %s', async (action) => {
  const body = JSON.stringify({ region: 'us', account: merchant.account, action, input: {} });
  expect((await ask(`${developers.origin}/developers/actions`, {}, body)).status).toBe(400);
});
