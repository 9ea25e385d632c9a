const gluten = { name: 'Gluten', level: 'contains' };
const milk = { name: 'Milch', level: 'contains' };
const egg = { name: 'Ei', level: 'contains' };

/** Texts of the demo's products, in their order. */
const goods = [
  {
    name: 'Sauerteigbrot',
    category: 'Brot',
    allergens: [gluten],
    description: 'Zwei Tage Ruhe, eine dunkle Kruste. Weizen und Roggen mit lockerer Krume, 800 g. Bleibt vier Tage frisch.',
  },
  {
    name: 'Buttercroissant',
    category: 'Gebäck',
    allergens: [gluten, milk],
    description: 'Siebenundzwanzig Schichten Butter. Von Hand gerollt und goldbraun gebacken. Am besten am Morgen.',
  },
  {
    name: 'Zitronentarte',
    category: 'Kuchen',
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
    category: 'Kuchen',
    description: 'Vanillebiskuit, Sahne und Kirschen. Auf Bestellung gebacken für zwölf Gäste, auf Wunsch mit Namen.',
    tags: ['Geburtstag', 'Hochzeit'],
    allergens: [gluten, milk, egg],
  },
  {
    name: 'Landroggen',
    category: 'Brot',
    allergens: [gluten],
    description: 'Roggenvollkorn mit bemehlter Kruste. Kräftig, dunkel und leicht säuerlich, 1 kg. Bleibt eine Woche frisch.',
  },
  {
    name: 'Zimtschnecke',
    category: 'Gebäck',
    allergens: [gluten, milk, egg],
    description: 'Weicher Teig, brauner Zucker und Zuckerguss. Dicht an dicht gebacken, damit die Mitte saftig bleibt.',
  },
  {
    name: 'Baguette',
    category: 'Brot',
    allergens: [gluten],
    description: 'Außen knusprig, innen locker. Zweimal am Tag gebacken, 250 g. Am selben Tag genießen.',
  },
  {
    name: 'Schokoladentorte',
    category: 'Kuchen',
    tags: ['Geburtstag'],
    allergens: [gluten, milk, egg, { name: 'Nüsse', level: 'may_contain' }],
    description: 'Dunkle Schokolade, Kaffee und Himbeeren. Drei Schichten für acht Gäste. Hält sich ein Wochenende im Kühlschrank.',
  },
  { name: 'Kürbiskuchen', category: 'Kuchen' },
  { name: 'Brötchen für das Team', category: 'Brot' },
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
