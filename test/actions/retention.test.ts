import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { searchGraceDays } from '../../functions/actions/account.erase.ts';
import { formerGatewayLifeMs } from '../../shared/domain/checkout/former-gateway.ts';
import { type CheckoutSession, pendingSessionRetentionDays, sessionRetentionDays } from '../../shared/domain/checkout/record.ts';
import { secretGraceMs } from '../../shared/domain/webhook/record.ts';
import { windowSeconds } from '../../shared/table/buckets.ts';
import { type KindRow, kindNames, kinds } from '../../shared/table/schema.ts';
import { propertiesOf, synthesize } from '../lib/synthesize.ts';
import { allItems } from '../support/person.ts';
import { type Bakery, openBakery, type Service, startBakeries } from './bakery.ts';

const dayMs = 86_400_000;
const page = readFileSync(new URL('../../docs/privacy.md', import.meta.url), 'utf8');

/** How long each record is kept, from the third column of the page's first table. */
const retentionPeriods = new Map(
  (page.split('## What is kept where')[1] ?? '')
    .split('\n## ')[0]
    ?.split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, what = '', , period = '']) => [what, period]) ?? [],
);

describe('docs/privacy.md', () => {
  test.each([
    ['Checkout sessions', `${sessionRetentionDays} days after they expire or are paid`],
    ['Checkout sessions with a payment under way', `${pendingSessionRetentionDays} days after they expire`],
    ['Keys of a gateway that the settings named before', `${formerGatewayLifeMs / dayMs} days after they were replaced`],
    ['Event bodies', `${kinds.event.retention} days`],
    ['Delivery log', `${kinds.deliveryRecord.retention} days`],
    ['Ids of deleted webhook endpoints', `${kinds.deliveryRecord.retention} days`],
    ['Stored responses of Idempotency-Keys and dashboard actions', `${kinds.idempotency.retention * 24} hours`],
    ['Erasures of customers', `${kinds.erasure.retention} days`],
    ['Rate buckets', `${windowSeconds} seconds`],
  ])('docs/privacy.md states how long %s is kept, as the code does: %s', (what, period) => {
    expect(retentionPeriods.get(what)).toBe(period);
  });

  test('docs/privacy.md states how long secrets and search settings are kept, as the code does', () => {
    expect(retentionPeriods.get('Webhook signing secrets')).toContain(`${secretGraceMs / 3_600_000} hours`);
    expect(page.replaceAll(/\s+/g, ' ')).toContain(`the settings' search block stays for ${searchGraceDays} days`);
  });

  test('docs/privacy.md states how long logs, parked records and queues are kept, as the templates do', () => {
    const { us } = synthesize().templates;
    const logs = new Set(propertiesOf(us, 'AWS::Logs::LogGroup').map(({ RetentionInDays }) => `${RetentionInDays} days`));
    expect([...logs]).toEqual([retentionPeriods.get('Logs')]);
    const lifecycles = propertiesOf(us, 'AWS::S3::Bucket').map(({ LifecycleConfiguration }) => LifecycleConfiguration);
    const days = (lifecycles as ({ Rules: { ExpirationInDays?: number }[] } | undefined)[]).flatMap(
      (lifecycle) => lifecycle?.Rules.flatMap(({ ExpirationInDays = [] }) => ExpirationInDays) ?? [],
    );
    expect(days.map((count) => `${count} days`)).toContain(retentionPeriods.get('Parked records (S3)'));
    const queues = propertiesOf(us, 'AWS::SQS::Queue').map(({ MessageRetentionPeriod }) => Number(MessageRetentionPeriod) / 86_400);
    expect(`${Math.max(...queues)} days at most`).toBe(retentionPeriods.get('Queues and schedules'));
    // An erasure's record is kept longer than the records that it protects.
    expect(kinds.erasure.retention).toBeGreaterThan(Number.parseInt(retentionPeriods.get('Parked records (S3)') ?? '', 10));
  });
});

let service: Service;
let bakery: Bakery;
let endpoint: string;
/** The test engine never deletes expired items: items that reads hide are still stored. */
const isStored = async (prefix: string): Promise<boolean> =>
  (await allItems(service.world)).some(({ key }) => key.startsWith(`${prefix}#${bakery.account}`));

/** Moves the clock to the last second of the item's period, then past it. */
const around = async (endMs: number, look: () => Promise<unknown>) => {
  const { clock } = service.world;
  clock.advance(endMs - 1_000 - clock.now());
  const before = await look();
  clock.advance(1_000);
  return [before, await look()];
};

const firstEvent = async (): Promise<{ id: string; created_at: string }> => {
  const { body } = await bakery.call('GET', `/webhooks/${endpoint}/events?limit=100`);
  return body.data.at(-1);
};
const endOf = (created_at: string, days: number): number => (Math.floor(Date.parse(created_at) / 1000) + days * 86_400) * 1000;

describe('an expired record that is still in the table', () => {
  beforeAll(async () => {
    service = await startBakeries();
  });
  beforeEach(async () => {
    await service.pipeline.clear();
    bakery = await openBakery(service);
    const { body } = await bakery.call('GET', '/webhooks');
    endpoint = body.data.find(({ enabled }: { enabled: boolean }) => enabled).id;
  });
  afterAll(() => service.stop());

  test('delivery.get returns 404 for a delivery after 30 days', async () => {
    const { id: event_id, created_at } = await firstEvent();
    const shown = async () => (await service.call('delivery.get', bakery.account, { endpoint_id: endpoint, event_id })).ok;
    expect(await around(endOf(created_at, 30), shown)).toEqual([true, false]);
    expect(await isStored('dlv')).toBe(true);
  });

  test('an event can be redelivered for 30 days', async () => {
    const { id: event_id, created_at } = await firstEvent();
    const redeliver = () =>
      service.act('webhook.redeliver', bakery.account, { endpoint_id: endpoint, event_id }).then(
        () => 'again',
        (error: Error) => /not_found/.test(error.message) && 'gone',
      );
    expect(await around(endOf(created_at, 30), redeliver)).toEqual(['again', 'gone']);
  });

  test("an attempt after 30 days does not send the event's body", async () => {
    const { id, created_at } = await firstEvent();
    const ref = { account: bakery.account, endpoint, event: id };
    const body = async () => (await service.world.store.attempts.read({ ref, withEndpoint: false })).body !== undefined;
    expect(await around(endOf(created_at, 30), body)).toEqual([true, false]);
    expect(await isStored('dlv')).toBe(true);
  });

  test.each([
    ['open', 30],
    ['pending', 90],
  ] as const)('a checkout session that is %s is not shown %i days after its expiry', async (status, days) => {
    const { store } = service.world;
    const { body } = await bakery.shop.open();
    const stored = await store.checkoutSessions.get(bakery.account, body.id);
    if (!stored) throw new Error('The session is gone.');
    const { record } = stored;
    await store.commit([store.checkoutSessions.replaceWrite(bakery.account, { ...record, status } as CheckoutSession, stored)]);
    const found = async () => (await store.checkoutSessions.get(bakery.account, record.id)) !== undefined;
    expect(await around((Math.floor(record.expires_ms / 1000) + days * 86_400) * 1000, found)).toEqual([true, false]);
    expect(await isStored('chk')).toBe(true);
  });

  test('a record of a kind that is kept for a time has the attribute of its expiry', async () => {
    const hasRetentionPeriod = ({ retention: period }: KindRow): boolean => typeof period === 'number';
    const prefixesOf = (isOfThem: (row: KindRow) => boolean): string[] =>
      // Nothing was erased here; the other omitted kinds hold no personal data.
      kindNames.flatMap((kind) =>
        kinds[kind].retention !== null && kind !== 'erasure' && isOfThem(kinds[kind]) ? [kinds[kind].prefix] : [],
      );
    const items = (await allItems(service.world)).filter(({ key }) => key.includes(bakery.account));
    const withEnd = new Set(items.filter(({ item }) => item['expires_at'] !== undefined).map(({ key }) => key.split('#')[0]));
    const without = new Set(items.filter(({ item }) => item['expires_at'] === undefined).map(({ key }) => key.split('#')[0]));
    expect([...withEnd].sort()).toEqual(prefixesOf(hasRetentionPeriod).sort());
    expect([...without].sort()).toEqual(prefixesOf((row) => !hasRetentionPeriod(row)).sort());
  });
});
