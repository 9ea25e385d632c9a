/** Settings with every field of the document (decisions §5). */
export const allSettings = {
  payment_methods: [{ id: 'cash', name: 'Cash', enabled: true }],
  event_categories: [{ name: 'Wedding', colour: '#fff' }],
  time_slots: {
    pickup: [{ id: 'ps_1', label: 'Morning', start: '08:00', end: '12:00', multiplier: 1.5, available_days: [1, 2, 3] }],
    delivery: [{ id: 'ds_1', label: 'Noon', start: '12:00', end: '12:00', multiplier: 0, available_days: [] }],
  },
  blocked_dates: [{ id: 'bd_1', date: '2026-12-25', reason: 'Closed', is_holiday: true, holiday_name: 'Christmas' }],
  recurring_rules: [
    { id: 'rr_1', type: 'weekly', days_of_week: [0], enabled: true, start_date: '2026-01-01', end_date: null, reason: 'Sunday' },
  ],
  custom_fields: [
    {
      id: 'cf_1',
      key: 'flavour',
      name: 'Flavour',
      type: 'select',
      required: true,
      options: ['Lemon', 'Vanilla'],
      scopes: ['order', 'kitchen'],
      active: true,
      internal: false,
    },
  ],
  search: {
    provider: 'typesense',
    host: 'search.example.com',
    collection: 'products',
    search_key: 'search-key-abcd',
    admin_key: 'admin-key-efgh',
  },
  checkout: {
    gateway: 'stripe',
    secret_key: 'sk_test_12345678',
    webhook_secret: 'whsec_87654321',
    delivery_fee: 7.5,
    branding: { name: 'Crumb & Co' },
  },
};
