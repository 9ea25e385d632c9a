import { ApiError, createClient, type DateAvailability, type Product } from '../../../clients/typescript/src/index.ts';
import { emptyCart, idempotencyKeyFor, type Line, priceOf, readCart, writeCart } from './cart.ts';

const find = <Kind extends Element>(selector: string, within: ParentNode = document): Kind => {
  const found = within.querySelector<Kind>(selector);
  if (!found) throw new Error(`The page has no ${selector}.`);
  return found;
};

/** Sets text as text, because a bakery's text may contain markup. */
const make = <Tag extends keyof HTMLElementTagNameMap>(tag: Tag, members: Readonly<Record<string, string>>, ...children: Node[]) => {
  const element = document.createElement(tag);
  Object.assign(element, members).append(...children);
  return element;
};

const form = find<HTMLFormElement>('#shop');
const status = find<HTMLElement>('#status');
const problem = find<HTMLElement>('#problem');
const daySelect = find<HTMLSelectElement>('[name=date]');
const slotSelect = find<HTMLSelectElement>('[name=slot]');

const client = createClient((await (await fetch('/config.json')).json()) as { baseUrl: string; apiKey: string });

const money = (amount: number, currency: string): string => new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount);
const deliveryType = () => new FormData(form).get('delivery_type') as 'pickup' | 'delivery';

const allergenText = (words: string, wanted: string, { allergens }: Product): string => {
  const names = allergens.filter(({ level }) => level === wanted).map(({ name }) => name);
  return names.length > 0 ? `${words} ${names.join(', ')}.` : '';
};

const productRow = (product: Product, line: Line | undefined): HTMLElement => {
  const { id, name, description, price, currency, variants } = product;
  const facts = [description, allergenText('Contains', 'contains', product), allergenText('May contain', 'may_contain', product)];
  const variant = make('select', { name: 'variant', ariaLabel: `${name}: size` });
  for (const one of variants) variant.append(new Option(`${one.name}, ${money(one.price, currency)}`, one.id));
  variant.value = line?.variant_id ?? variants[0]?.id ?? '';
  const quantity = make('input', {
    type: 'number',
    name: 'quantity',
    min: '0',
    max: '99',
    value: String(line?.quantity ?? 0),
    ariaLabel: `${name}: how many`,
  });
  const row = make(
    'li',
    {},
    make('div', {}, make('h3', { textContent: name }), make('p', { textContent: facts.filter(Boolean).join(' ') })),
    make(
      'div',
      { className: 'choice' },
      ...(variants.length > 0 ? [variant] : [make('span', { textContent: money(price, currency) })]),
      quantity,
    ),
  );
  row.dataset['product'] = id;
  return row;
};

const linesOf = (): Line[] =>
  [...document.querySelectorAll<HTMLElement>('#products li')].flatMap((row) => {
    const quantity = find<HTMLInputElement>('[name=quantity]', row).valueAsNumber;
    const variant_id = row.querySelector<HTMLSelectElement>('[name=variant]')?.value;
    return quantity > 0 ? [{ product_id: row.dataset['product'] ?? '', ...(variant_id ? { variant_id } : {}), quantity }] : [];
  });

const dayMs = 86_400_000;
const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const dayName = new Intl.DateTimeFormat('en', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' });

let days: readonly DateAvailability[] = [];

/**
 * Shows unblocked days with a slot, from tomorrow: the account's lead time for today is unknown.
 */
const showDays = async (): Promise<void> => {
  const query = { from: isoDay(Date.now() + dayMs), to: isoDay(Date.now() + 14 * dayMs), type: deliveryType() };
  const { availability } = await client.availability.retrieve(query);
  days = availability.filter(({ bookable, time_slots }) => bookable && time_slots.length > 0);
  const before = daySelect.value;
  daySelect.replaceChildren(...days.map(({ date }) => new Option(dayName.format(new Date(date)), date, false, date === before)));
  showSlots();
};

const showSlots = (): void => {
  const slots = days.find(({ date }) => date === daySelect.value)?.time_slots ?? [];
  slotSelect.replaceChildren(...slots.map(({ label, start, end }) => new Option(`${label}, ${start} – ${end}`, start ?? '')));
};

const showTotal = (products: ReadonlyMap<string, Product>): void => {
  const lines = linesOf();
  writeCart(lines);
  const [first] = products.values();
  const sum = lines.reduce((total, { product_id, variant_id, quantity }) => {
    const product = products.get(product_id);
    return total + (product ? priceOf(product, variant_id) * quantity : 0);
  }, 0);
  find<HTMLOutputElement>('#total').textContent = money(sum, first?.currency ?? 'USD');
};

/**
 * Returns words for errors that a shopper can correct. Prices and total always come from the
 * service.
 */
const sentenceOf = (error: unknown): string => {
  if (!(error instanceof ApiError)) return 'The bakery cannot be reached just now. Please try again.';
  if (error.field === 'success_url') return 'Checkout comes back to this page only with: npm start -- --allow-loopback-webhooks';
  if (error.code === 'limit_reached') return 'The bakery takes no more orders this month.';
  return error.message.replace(/^\d+ \S+ /, '');
};

const checkOut = async (): Promise<void> => {
  problem.textContent = '';
  const items = linesOf();
  if (items.length === 0) {
    problem.textContent = 'Choose something first.';
    return;
  }
  const button = find<HTMLButtonElement>('button', form);
  button.disabled = true;
  try {
    const order = {
      items,
      delivery_type: deliveryType(),
      delivery_date: daySelect.value,
      ...(slotSelect.value ? { delivery_time: slotSelect.value } : {}),
      success_url: `${location.origin}/thanks`,
      cancel_url: `${location.origin}/`,
    };
    const session = await client.checkout.create(order, { idempotencyKey: idempotencyKeyFor(order) });
    location.assign(session.url);
  } catch (error) {
    problem.textContent = sentenceOf(error);
    button.disabled = false;
  }
};

const open = async (): Promise<void> => {
  const products = new Map<string, Product>();
  for await (const product of client.products.listAll()) products.set(product.id, product);
  const cart = readCart();
  const rows = [...products.values()].map((product) =>
    productRow(
      product,
      cart.find(({ product_id }) => product_id === product.id),
    ),
  );
  find('#products').replaceChildren(...rows);
  await showDays();
  showTotal(products);
  find('#products').addEventListener('input', () => showTotal(products));
  for (const radio of form.querySelectorAll('[name=delivery_type]'))
    radio.addEventListener('change', () => {
      showDays().catch((error: unknown) => {
        problem.textContent = sentenceOf(error);
      });
    });
  daySelect.addEventListener('change', showSlots);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void checkOut();
  });
  // The shopper returned from the checkout with the browser's back button.
  addEventListener('pageshow', () => {
    find<HTMLButtonElement>('button', form).disabled = false;
  });
  form.hidden = false;
};

if (location.pathname === '/thanks') {
  emptyCart();
  find<HTMLElement>('#thanks').hidden = false;
  status.textContent = '';
} else
  try {
    await open();
    status.textContent = '';
  } catch (error) {
    status.textContent = sentenceOf(error);
  }
