import type { Account } from '../../shared/domain/account/record.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import type { Product } from '../../shared/domain/product/fields.ts';
import { sampleProduct } from '../support/requests.ts';
import type { TestResponse, World } from '../support/world.ts';

/** A Thursday on which the bakery is open. */
export const thursday = '2030-03-14';
export const blockedDay = '2030-03-15';

export const shopSettings: Settings = {
  time_slots: {
    pickup: [{ id: 'ps_1', label: 'Morning', start: '08:00', end: '11:00' }],
    delivery: [
      { id: 'ds_1', label: 'Midday', start: '11:00', end: '14:00', available_days: [4] },
      { id: 'ds_2', label: 'Evening', start: '17:00', end: '19:00', multiplier: 1.5 },
    ],
  },
  blocked_dates: [{ id: 'bd_1', date: blockedDay, reason: 'Inventory' }],
  custom_fields: [{ id: 'cf_1', key: 'engraving', name: 'Engraving', type: 'text', scopes: ['order'] }],
  checkout: { gateway: 'sandbox', delivery_fee: 5.33 },
};

export interface Shop {
  readonly account: Account;
  readonly secretKey: string;
  readonly publishableKey: string;
  /** Products by their purpose in the tests. */
  readonly products: Readonly<Record<'bread' | 'cake' | 'hidden' | 'draft' | 'foreign', string>>;
  /** Sends POST /checkout with the publishable key; the fields replace those of a valid body. */
  open(fields?: Record<string, unknown>): Promise<TestResponse>;
}

let addresses = 0;

/** A bakery with products, slots, a blocked day and a delivery fee. */
export const openShop = async (
  world: World,
  { account: fields = {}, settings = shopSettings }: { account?: Partial<Account>; settings?: Settings } = {},
): Promise<Shop> => {
  const variants = [{ id: 'var_large', name: 'Large', price: 58.05 }];
  let [publishableKey, secretKey] = ['', ''];
  const account = await world.createAccount(fields, (id) => {
    const sell = (product: string, rest: Partial<Product>) =>
      world.store.products.createWrite(id, sampleProduct(world.clock.now(), { id: product, ...rest }));
    const [publishable, secret] = [world.newKey(id, { type: 'publishable' }), world.newKey(id)];
    [publishableKey, secretKey] = [publishable.value, secret.value];
    return [
      world.store.accounts.putSettingsWrite(id, settings),
      sell('prd_bread', { name: 'Sourdough', price: 6.5 }),
      sell('prd_cake', { name: 'Layer cake <b>', price: 42, variants }),
      sell('prd_hidden', { hidden: true }),
      sell('prd_draft', { status: 'draft' }),
      sell('prd_foreign', { currency: 'EUR' }),
      sell('prd_dear', { price: 999_999_999_999.99 }),
      ...publishable.writes,
      ...secret.writes,
    ];
  });
  return {
    account,
    secretKey,
    publishableKey,
    products: { bread: 'prd_bread', cake: 'prd_cake', hidden: 'prd_hidden', draft: 'prd_draft', foreign: 'prd_foreign' },
    open: (changes = {}) =>
      world.request('POST', '/checkout', {
        key: publishableKey,
        sourceIp: `2001:db8:1::${(++addresses).toString(16)}`,
        body: {
          items: [{ product_id: 'prd_bread', quantity: 2 }],
          delivery_type: 'pickup',
          delivery_date: thursday,
          delivery_time: '08:00',
          success_url: 'https://shop.example.com/thanks',
          cancel_url: 'https://shop.example.com/cart',
          ...changes,
        },
      }),
  };
};
