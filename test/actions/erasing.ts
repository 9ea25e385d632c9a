import type { beforeEach } from '@jest/globals';
import { openShop, type Shop } from '../checkout/shop.ts';
import { openCounter } from '../checkout-page/page.ts';
import { allItems, details, person, type StoredItem, tracesIn } from '../support/person.ts';
import type { WireCall } from '../support/wire.ts';
import type { Service } from './bakery.ts';

/** Returns all items of an account, also those whose keys do not have its id. */
export const itemsOf = async ({ world }: Service, account: string): Promise<readonly StoredItem[]> =>
  (await allItems(world)).filter(({ key, item }) => JSON.stringify({ key, item }).includes(account));

export const keysOf = async (service: Service, account: string): Promise<readonly string[]> =>
  (await itemsOf(service, account)).map(({ key }) => key).sort();

/** The keys that remain of an erased account. */
export const tombstoneOf = (account: string): readonly string[] => [`acc#${account} account`, `era#${account} *`];

/** Returns texts about the person that are stored in the account. */
export const tracesOf = async (service: Service, account: string): Promise<readonly string[]> => tracesIn(await itemsOf(service, account));

/** Whether an erasure of a customer reads sessions, which it does first after it has anonymized the customer. */
export const readsSessions = ({ operation, input }: WireCall): boolean => operation === 'Query' && JSON.stringify(input).includes('"chk#');

/** Opens a shop before the tests of a file, or before each of them, and sends requests of its merchant, which must succeed. */
export const openShopFor = (before: typeof beforeEach, service: Service) => {
  const at = {} as { shop: Shop; account: string };
  before(async () => {
    service.world.wire.intercept(undefined);
    await service.pipeline.clear();
    at.shop = await openShop(service.world);
    at.account = at.shop.account.id;
  });
  const call = async (method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) => {
    const response = await service.world.request(method, path, { key: at.shop.secretKey, ...(body && { body }), headers });
    if (response.status >= 400) throw new Error(response.text);
    return response.body;
  };
  const act = (action: string, input: object = {}) => service.act(action, at.account, input);
  return {
    at,
    call,
    act,
    /** Returns the id of a new customer. */
    register: async (body: object): Promise<string> => (await call('POST', '/customers', body)).id,
    erase: (id: string) => act('customer.erase', { id }),
  };
};

/** Opens a shop with a customer who has two open carts. An erasure that begins now begins after they were opened. */
export const openCarts = async ({ world, act }: Service) => {
  const shop = await openShop(world);
  const account = shop.account.id;
  const { body } = await world.request('POST', '/customers', { key: shop.secretKey, body: { ...person, ...details } });
  const { company: _, ...customer } = person;
  const fields = { customer, notes: details.notes, metadata: details.metadata };
  const first = await openCounter(world, { shop, fields });
  const carts = [first, await openCounter(world, { shop, fields })];
  world.clock.advance(1_000);
  return { shop, account, first, carts, erase: () => act('customer.erase', account, { id: body.id }) };
};
