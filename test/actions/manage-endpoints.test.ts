import { beforeAll, describe, expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = shared(startDashboard);
let account: string;
beforeAll(async () => {
  account = await dashboard.openAccount();
});

const input = (path: string) => ({ url: `https://hooks.example.com/${path}`, events: ['order.created'], description: 'Till' });
const list = async () => (await dashboard.act('webhook.list', account)).data as Record<string, unknown>[];

describe("the dashboard's endpoint actions", () => {
  test("the dashboard's endpoint actions return a new endpoint's secret at creation, and never again", async () => {
    const { secret, ...rest } = await dashboard.act('webhook.create', account, input('new'));
    expect(secret).toMatch(/^whsec_/);
    expect(rest).toMatchObject({ ...input('new'), enabled: true, status: 'active', disabled_reason: null });
    expect(await list()).toContainEqual(rest);
  });

  test("the dashboard's endpoint actions change only the fields that an edit names", async () => {
    const { secret: _secret, ...before } = await dashboard.act('webhook.create', account, input('before'));
    dashboard.clock.advance(1000);
    const after = await dashboard.act('webhook.update', account, { id: before.id, events: ['expense.created', 'expense.created'] });
    expect(after).toEqual({ ...before, events: ['expense.created'], updated_at: new Date(dashboard.clock.now()).toISOString() });
  });

  test("the dashboard's endpoint actions delete an endpoint and free its URL", async () => {
    const { id } = await dashboard.act('webhook.create', account, input('gone'));
    expect(await dashboard.act('webhook.delete', account, { id })).toEqual({ deleted: true, id });
    expect((await list()).map((endpoint) => endpoint['id'])).not.toContain(id);
    await dashboard.act('webhook.create', account, input('gone'));
  });

  test.each(['webhook.create', 'webhook.update'])("%s applies the REST API's rules to a URL", async (action) => {
    const { id } = (await list())[0] ?? {};
    const fields = action === 'webhook.create' ? input('x') : { id };
    for (const url of ['https://10.0.0.1/hook', 'https://user:word@example.com/', 'ftp://example.com/'])
      expect(await dashboard.errorOf(action, account, { ...fields, url })).toMatchObject({ status: 400, field: 'url' });
    await dashboard.act('webhook.create', account, input(`taken-by-${action}`));
    expect(await dashboard.errorOf(action, account, { ...fields, url: input(`taken-by-${action}`).url })).toMatchObject({ status: 409 });
  });
});
