import type { Template } from 'aws-cdk-lib/assertions';
import type { FunctionName } from '../../../lib/functions.ts';
import { systemClock } from '../../../shared/core/clock.ts';
import { randomId } from '../../../shared/core/ids.ts';
import { type DeliveryRecord, pendingDelivery } from '../../../shared/domain/webhook/record.ts';
import { connectQueue, type Queue } from '../../../shared/providers/queue.ts';
import { connectSecrets, type Secrets } from '../../../shared/providers/secrets.ts';
import { openShop, shopSettings } from '../../checkout/shop.ts';
import { type Counter, openCounter } from '../../checkout-page/page.ts';
import { type StripeStandIn, secretKey, startStripe, webhookSecret } from '../../checkout-page/stripe-stand-in.ts';
import { startWorld, type World } from '../../support/world.ts';
import { flatten } from '../iam.ts';
import { propertiesOf, resourcesOf } from '../synthesize.ts';
import { type Gate, openGate } from './gate.ts';

/**
 * Context of flows: a world, and the real clients of every other service, with names from the
 * template.
 */
export interface Stage {
  readonly world: World;
  readonly gate: Gate;
  /**
   * Returns an environment variable of a function from the template; a queue's value is its URL at
   * the gate.
   */
  readonly variable: (name: FunctionName, variable: string) => string;
  readonly queue: (name: FunctionName, variable: string) => Queue;
  readonly secrets: (name: FunctionName) => Secrets;
  /** Stores a secret under a reference. */
  readonly putSecret: (account: string, parameter: string, value: string) => void;
  readonly createAccountWithKey: () => Promise<{ readonly account: string; readonly key: string }>;
  /** Stripe's API on loopback. */
  readonly stripe: StripeStandIn;
  /** Returns a counter of a shop that has its keys of Stripe as secrets of the gate. */
  readonly openStripeCounter: () => Promise<Counter>;
  readonly createEndpoint: (key: string, path?: string) => Promise<string>;
  readonly createDelivery: (account: string, endpoint: string, dueMs?: number) => Promise<DeliveryRecord>;
  stop(): Promise<void>;
}

export const expense = { amount: 12.5, date: '2026-03-01', category: 'packaging', supplier: { id: 'sup_1', name: 'Boxes' } };

/** Prepares its data with unchecked calls, and returns the work with the checked calls. */
export type Flow = () => Promise<() => Promise<void>>;

const logicalId = (reference: string): string => /^<(\w+)>$/.exec(reference)?.[1] ?? '';

const functionsOf = (template: Template): Record<string, Readonly<Record<string, string>>> =>
  Object.fromEntries(
    propertiesOf(template, 'AWS::Lambda::Function').map(({ FunctionName, Environment }) => [
      String(FunctionName).replace('BakeryCommerce-us-', ''),
      Object.fromEntries(
        Object.entries((Environment as { Variables: object } | undefined)?.Variables ?? {}).map(([name, value]) => [name, flatten(value)]),
      ),
    ]),
  );

export const openStage = async (template: Template): Promise<Stage> => {
  const variables = functionsOf(template);
  const queues = Object.keys(resourcesOf(template, 'AWS::SQS::Queue'));
  const [bucket = ''] = Object.keys(resourcesOf(template, 'AWS::S3::Bucket'));
  const logicalIdOfFunction = (functionName: string): string => {
    const [id] =
      Object.entries(resourcesOf(template, 'AWS::Lambda::Function')).find(
        ([, { Properties }]) => Properties['FunctionName'] === functionName,
      ) ?? [];
    return id ?? '';
  };
  const gate = await openGate({ queues, bucket, logicalIdOfFunction });

  const variable = (name: FunctionName, key: string): string => {
    const value = variables[name]?.[key];
    if (value === undefined) throw new Error(`${name} has no ${key}`);
    return queues.includes(logicalId(value)) ? gate.queueUrl(logicalId(value)) : value;
  };
  const prefix = variable('products', 'SECRETS_PREFIX');
  const secrets = (name: FunctionName) =>
    connectSecrets({ prefix: variable(name, 'SECRETS_PREFIX'), clock: systemClock, log: () => {}, client: gate.client });
  const world = await startWorld({ secrets: secrets('products'), notices: true });
  const stripe = await startStripe(world.clock.now);

  const putSecret: Stage['putSecret'] = (account, parameter, value) => void gate.parameters.set(`${prefix}/${account}/${parameter}`, value);
  return {
    world,
    gate,
    variable,
    secrets,
    queue: (name, key) => connectQueue({ queueUrl: variable(name, key), client: gate.client }),
    putSecret,
    stripe,
    async openStripeCounter() {
      const checkout = { gateway: 'stripe' as const, secret_key: 'ssm:stripe/secret_key', webhook_secret: 'ssm:stripe/webhook_secret' };
      const shop = await openShop(world, { settings: { ...shopSettings, checkout } });
      putSecret(shop.account.id, 'stripe/secret_key', secretKey);
      putSecret(shop.account.id, 'stripe/webhook_secret', webhookSecret);
      return openCounter(world, { shop, services: { secrets: secrets('checkout-page'), stripeApi: stripe.api } });
    },
    async createAccountWithKey() {
      const { id } = await world.createAccount();
      return { account: id, key: await world.createKey(id) };
    },
    async createEndpoint(key, path = 'a') {
      const body = { url: `https://hooks.example.com/${path}`, events: ['expense.created'] };
      return (await world.request('POST', '/webhooks', { key, body })).body.id;
    },
    async createDelivery(account, endpoint, dueMs = world.clock.now()) {
      const nowMs = world.clock.now();
      const id = randomId('evt', nowMs);
      const body = JSON.stringify({ type: 'expense.created', data: { object: {} } });
      await world.store.events.create({ id, account, type: 'expense.created', body, createdMs: nowMs });
      const record = await world.store.deliveries.create(pendingDelivery({ id, account, endpoint, type: 'expense.created' }, nowMs));
      await world.store.deliveries.makeDueAt({ account, endpoint, event: id, run: record.run, attempt: record.attempts }, dueMs);
      return record;
    },
    async stop() {
      await stripe.stop();
      await Promise.all([world.stop(), gate.stop()]);
    },
  };
};
