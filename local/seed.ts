import type { Region } from '../shared/core/config.ts';
import type { Settings } from '../shared/domain/account/settings.ts';
import type { State } from './engine/state.ts';
import type { ActionCall } from './region.ts';
import { inGerman } from './seed-german.ts';

/** A demo account. */
export interface DemoAccount {
  readonly account: string;
  readonly name: string;
  /** Absent if an earlier release made the account. */
  readonly address?: string;
  readonly secretKey: string;
  readonly publishableKey: string;
  /** A product that shoppers can buy. */
  readonly product: string;
}

export type Demo = Readonly<Partial<Record<Region, DemoAccount>>>;

/** Tools of the seed in one region. */
interface SeedTools {
  /** Calls a dashboard action. */
  readonly invoke: (call: ActionCall) => Promise<unknown>;
  /** Calls the API, for records that only it makes. */
  readonly post: (key: string, path: string, body: unknown) => Promise<unknown>;
  /** Search settings at this start. */
  readonly search: NonNullable<Settings['search']>;
}

const bakeries = {
  us: { name: 'Maple Street Bakery', currency: 'USD', timezone: 'America/New_York', address: '12 Maple Street, Burlington, VT 05401' },
  au: { name: 'Harbour Bakehouse', currency: 'AUD', timezone: 'Australia/Sydney', address: '5 Harbour Parade, Balmain NSW 2041' },
  eu: { name: 'Backstube am Markt', currency: 'EUR', timezone: 'Europe/Berlin', address: 'Marktplatz 3, 99084 Erfurt' },
} as const satisfies Record<Region, object>;

const settings = {
  payment_methods: [
    { id: 'card', name: 'Card', enabled: true },
    { id: 'cash', name: 'Cash', enabled: true },
    { id: 'bank_transfer', name: 'Bank transfer', enabled: true },
  ],
  time_slots: {
    pickup: [
      { id: 'ps_morning', label: 'Morning', start: '08:00', end: '11:00', multiplier: 1, available_days: [1, 2, 3, 4, 5, 6] },
      { id: 'ps_afternoon', label: 'Afternoon', start: '13:00', end: '17:00', multiplier: 1, available_days: [1, 2, 3, 4, 5] },
    ],
    delivery: [
      { id: 'ds_midday', label: 'Midday', start: '11:00', end: '14:00', multiplier: 1, available_days: [1, 2, 3, 4, 5, 6] },
      { id: 'ds_evening', label: 'Evening', start: '17:00', end: '19:00', multiplier: 1.5, available_days: [4, 5] },
    ],
  },
  // The color of the example shop, so that its checkout looks like it.
  checkout: { gateway: 'sandbox', delivery_fee: 6, branding: { accent: '#7c3a12' } },
  blocked_dates: [{ id: 'bd_new_year', date: '2027-01-01', reason: 'New Year', is_holiday: true, holiday_name: "New Year's Day" }],
};

const expenses = [
  { amount: 184.6, category: 'ingredients', description: 'Flour and butter', supplier: { id: 'sup_mill', name: 'Old Mill' } },
  { amount: 62.4, category: 'packaging', description: 'Cake boxes' },
  { amount: 239, category: 'utilities', description: 'Gas' },
];

const gluten = { name: 'gluten', level: 'contains' };
const dairy = { name: 'dairy', level: 'contains' };
const egg = { name: 'egg', level: 'contains' };

const products = [
  {
    name: 'Sourdough loaf',
    category: 'bread',
    price: 8.5,
    tags: ['vegan'],
    allergens: [gluten],
    description: 'Two days of rest, a dark crust. Wheat and rye with an open crumb, 800 g. Keeps for four days.',
  },
  {
    name: 'Butter croissant',
    category: 'pastries',
    price: 3.9,
    allergens: [gluten, dairy],
    description: 'Twenty-seven layers of butter. Rolled by hand and baked until deep golden. Best in the morning.',
  },
  {
    name: 'Lemon tart',
    category: 'cakes',
    price: 32,
    description: 'Lemon curd in a crisp crust. Sharp and smooth, with a slice of candied lemon. Keeps a day in the fridge.',
    variants: [
      { id: 'small', name: 'Small, 4 slices', price: 18 },
      { id: 'large', name: 'Large, 8 slices', price: 32 },
    ],
    allergens: [gluten, dairy, { name: 'nuts', level: 'may_contain' }],
  },
  {
    name: 'Celebration cake',
    category: 'cakes',
    price: 95,
    description: 'Vanilla sponge, cream and cherries. Baked to order for twelve guests, with a name on it if you like.',
    tags: ['birthday', 'wedding'],
    allergens: [gluten, dairy, egg],
  },
  {
    name: 'Country rye',
    category: 'bread',
    price: 9.2,
    tags: ['vegan'],
    allergens: [gluten],
    description: 'Whole rye with a floured crust. Dense, dark and a little sour, 1 kg. Keeps for a week.',
  },
  {
    name: 'Cinnamon roll',
    category: 'pastries',
    price: 4.5,
    allergens: [gluten, dairy, egg],
    description: 'Soft dough, brown sugar and icing. Baked side by side, so that the middle stays tender.',
  },
  {
    name: 'Baguette',
    category: 'bread',
    price: 3.2,
    tags: ['vegan'],
    allergens: [gluten],
    description: 'Crisp outside, airy inside. Baked twice a day, 250 g. Eat it on the day.',
  },
  {
    name: 'Chocolate cake',
    category: 'cakes',
    price: 46,
    tags: ['birthday'],
    allergens: [gluten, dairy, egg, { name: 'nuts', level: 'may_contain' }],
    description: 'Dark chocolate, coffee and raspberries. Three layers for eight guests. Keeps for a weekend in the fridge.',
  },
  // Products that shoppers do not see: a draft, and one for the counter only.
  { name: 'Pumpkin pie', category: 'cakes', price: 28, status: 'draft' },
  { name: 'Staff lunch roll', category: 'bread', price: 2, storefront_visible: false },
];

/** The goods and settings of a region. The eu demo sells in German. */
const offerOf = (region: Region) => (region === 'eu' ? inGerman(products, settings) : { products, settings });

const ada = { first_name: 'Ada', last_name: 'Okafor', email: 'ada@example.com', phone: '+1 555 0100' };
const orders = [
  {
    customer: ada,
    status: 'confirmed',
    payment_status: 'paid',
    items: [{ name: 'Wedding cake, three tiers', quantity: 1, unit_price: 420 }],
    payments: [{ amount: 420, method: 'card' }],
    event_category: 'Wedding',
    delivery_type: 'delivery',
    delivery_fee: 25,
    discount: 25,
  },
  { customer: ada, items: [{ name: 'Cupcakes, box of 12', quantity: 2, unit_price: 38 }], delivery_time: '08:00' },
  {
    customer: { first_name: 'Jonas', last_name: 'Lind', email: 'jonas@example.com' },
    items: [{ name: 'Rye loaf', quantity: 4, unit_price: 7.5 }],
  },
];

const dayMs = 86_400_000;

const actor =
  ({ invoke }: SeedTools) =>
  async (call: ActionCall): Promise<Record<string, unknown>> => {
    const response = (await invoke(call)) as { ok: boolean; result?: Record<string, unknown>; body?: unknown };
    if (!response.ok) throw new Error(`The demo account could not be made: ${call.action}: ${JSON.stringify(response.body)}`);
    return response.result ?? {};
  };

const seedRegion = async (region: Region, tools: SeedTools): Promise<DemoAccount> => {
  const { post, search } = tools;
  const act = actor(tools);
  const { address, ...bakery } = bakeries[region];
  const offer = offerOf(region);
  const account = String((await act({ action: 'account.create', input: { ...bakery, plan: 'business' } }))['id']);
  const key = async (input: Record<string, unknown>) => String((await act({ action: 'key.create', account, input }))['key']);
  let sold: Record<string, unknown> = {};
  // A list shows the newest product first.
  for (const product of offer.products.toReversed()) sold = await act({ action: 'product.create', account, input: product });
  const [secretKey, publishableKey] = await Promise.all([
    key({ type: 'secret', group: 'fullAccess', name: 'Demo server key' }),
    key({ type: 'publishable', name: 'Demo browser key' }),
    act({
      action: 'settings.put',
      account,
      input: { ...offer.settings, checkout: { ...settings.checkout, branding: { ...settings.checkout.branding, address } }, search },
    }),
    ...expenses.map((expense, i) =>
      act({
        action: 'expense.create',
        account,
        input: { ...expense, status: 'recorded', date: new Date(Date.now() - (i + 1) * dayMs).toISOString().slice(0, 10) },
      }),
    ),
  ]);
  const delivery_date = new Date(Date.now() + 7 * dayMs).toISOString().slice(0, 10);
  for (const order of orders) await post(secretKey, '/orders', { ...order, delivery_date });
  return { account, name: bakery.name, address, secretKey, publishableKey, product: String(sold['id']) };
};

const readNote = <Value>(state: State, name: string): Partial<Record<Region, Value>> => {
  const value = state.prepare('SELECT value FROM notes WHERE name = ?').get(name)?.['value'];
  return typeof value === 'string' ? JSON.parse(value) : {};
};
const writeNote = (state: State, name: string, value: object): void =>
  void state.prepare('INSERT OR REPLACE INTO notes (name, value) VALUES (?, ?)').run(name, JSON.stringify(value));

/**
 * Updates the search settings of demo accounts of earlier starts. Another configured search stays.
 */
const followSearch = async (account: string, before: string | undefined, tools: SeedTools): Promise<void> => {
  const act = actor(tools);
  const settings: Settings = await act({ action: 'settings.get', account });
  if (settings.search === null || settings.search?.host !== before) return;
  await act({ action: 'settings.update', account, input: { search: tools.search } });
};

/**
 * Creates the demo accounts of regions without one. The state stores the keys, because they are
 * shown once.
 */
export const seedOnce = async (state: State, regions: readonly Region[], toolsOf: (region: Region) => SeedTools): Promise<Demo> => {
  const [accountsNote, searchNote] = ['demo accounts', 'demo search'];
  const known = readNote<DemoAccount>(state, accountsNote);
  const hosts = readNote<string>(state, searchNote);
  const seedOrKeep = async (region: Region): Promise<DemoAccount> => {
    const tools = toolsOf(region);
    const { host } = tools.search;
    const account = known[region];
    if (account && hosts[region] !== host) await followSearch(account.account, hosts[region], tools);
    hosts[region] = host;
    return account ?? seedRegion(region, tools);
  };
  const seeded = await Promise.all(regions.map(async (region) => [region, await seedOrKeep(region)] as const));
  const demo: Demo = { ...known, ...Object.fromEntries(seeded) };
  writeNote(state, accountsNote, demo);
  writeNote(state, searchNote, hosts);
  return demo;
};

/**
 * Returns the next day (YYYY-MM-DD) after a day or time with the demo's morning slot. Sundays and
 * New Year's Day have none.
 */
export const nextOpenDay = (now: string): string => {
  for (let ms = Date.parse(now) + dayMs; ; ms += dayMs) {
    const day = new Date(ms).toISOString().slice(0, 10);
    if (new Date(ms).getUTCDay() !== 0 && !day.endsWith('-01-01')) return day;
  }
};
