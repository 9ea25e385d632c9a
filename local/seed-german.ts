const gluten = { name: 'Gluten', level: 'contains' };
const milk = { name: 'Milch', level: 'contains' };

/** Texts of the demo's products, in their order. */
const goods = [
  {
    name: 'Sauerteigbrot',
    allergens: [gluten],
    description: 'Zwei Tage Ruhe, eine dunkle Kruste. Weizen und Roggen mit lockerer Krume, 800 g. Bleibt vier Tage frisch.',
  },
  {
    name: 'Buttercroissant',
    allergens: [gluten, milk],
    description: 'Siebenundzwanzig Schichten Butter. Von Hand gerollt und goldbraun gebacken. Am besten am Morgen.',
  },
  {
    name: 'Zitronentarte',
    description:
      'Zitronencreme auf knusprigem Mürbeteig. Frisch und cremig, mit einer kandierten Zitronenscheibe. Hält sich einen Tag im Kühlschrank.',
    variants: [
      { id: 'small', name: 'Klein, 4 Stücke', price: 18 },
      { id: 'large', name: 'Groß, 8 Stücke', price: 32 },
    ],
    allergens: [gluten, milk, { name: 'Nüsse', level: 'may_contain' }],
  },
  {
    name: 'Festtagstorte',
    description: 'Vanillebiskuit, Sahne und Kirschen. Auf Bestellung gebacken für zwölf Gäste, auf Wunsch mit Namen.',
    tags: ['Geburtstag', 'Hochzeit'],
    allergens: [gluten, milk, { name: 'Ei', level: 'contains' }],
  },
  { name: 'Kürbiskuchen' },
  { name: 'Brötchen für das Team' },
];

const labels: Readonly<Record<string, string>> = {
  ps_morning: 'Vormittag',
  ps_afternoon: 'Nachmittag',
  ds_midday: 'Mittag',
  ds_evening: 'Abend',
};

interface Slots {
  readonly time_slots: Readonly<Record<'pickup' | 'delivery', readonly { readonly id: string }[]>>;
}

/** Returns the demo's products and settings with German texts. */
export const inGerman = (products: readonly object[], settings: Slots) => {
  const named = (slots: readonly { readonly id: string }[]) => slots.map((slot) => ({ ...slot, label: labels[slot.id] }));
  const { pickup, delivery } = settings.time_slots;
  return {
    products: products.map((product, i) => ({ ...product, ...goods[i] })),
    settings: {
      ...settings,
      payment_methods: [
        { id: 'card', name: 'Karte', enabled: true },
        { id: 'cash', name: 'Bar', enabled: true },
        { id: 'bank_transfer', name: 'Überweisung', enabled: true },
      ],
      time_slots: { pickup: named(pickup), delivery: named(delivery) },
      blocked_dates: [{ id: 'bd_new_year', date: '2027-01-01', reason: 'Neujahr', is_holiday: true, holiday_name: 'Neujahr' }],
    },
  };
};
