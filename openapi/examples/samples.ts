/** Products and settings of the bakery in the examples. */
const gluten = { name: 'gluten', level: 'contains' };

export const catalog = {
  tart: {
    name: 'Lemon tart',
    category: 'cakes',
    price: 32,
    description: 'Baked in the morning.',
    tags: ['vegetarian'],
    variants: [
      { id: 'small', name: 'Small, 4 slices', price: 18 },
      { id: 'large', name: 'Large, 8 slices', price: 32 },
    ],
    allergens: [gluten, { name: 'nuts', level: 'may_contain' }],
  },
  sourdough: { name: 'Sourdough loaf', category: 'bread', price: 8.5, allergens: [gluten] },
};

export const settings = {
  payment_methods: [
    { id: 'card', name: 'Card', enabled: true },
    { id: 'cash', name: 'Cash', enabled: true },
  ],
  event_categories: [{ name: 'Wedding' }, { name: 'Birthday' }],
  time_slots: {
    pickup: [{ id: 'ps_morning', label: 'Morning', start: '08:00', end: '11:00', available_days: [1, 2, 3, 4, 5, 6] }],
    delivery: [{ id: 'ds_evening', label: 'Evening', start: '17:00', end: '19:00', multiplier: 1.5, available_days: [4, 5] }],
  },
  blocked_dates: [{ id: 'bd_good_friday', date: '2026-04-03', reason: 'Closed', is_holiday: true, holiday_name: 'Good Friday' }],
  recurring_rules: [{ id: 'rr_sundays', type: 'weekly', days_of_week: [0], reason: 'Day of rest' }],
  custom_fields: [
    { id: 'cf_message', key: 'message', name: 'Message on the cake', type: 'text', scopes: ['order'] },
    { id: 'cf_oven', key: 'oven', name: 'Oven', type: 'select', options: ['left', 'right'], scopes: ['order'], internal: true },
  ],
  search: { provider: 'typesense', host: 'search.example.com', collection: 'products', search_key: 'search-only-key-of-the-example' },
  checkout: { gateway: 'sandbox', delivery_fee: 12 },
};
