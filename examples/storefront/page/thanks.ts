import { paidOrder } from './cart.ts';
import { make, money, picture } from './elements.ts';

/** Returns a line of sums: its name at the left, its amount at the right. */
export const sum = (name: string, text: string): HTMLElement => make('p', { className: 'sum' }, name, make('b', { textContent: text }));

const back = () => make('a', { className: 'button', href: '/', textContent: 'Back to the shop' });

/** A publishable key reads no orders, so another device cannot show this one. */
const elsewhere = () =>
  make(
    'section',
    { className: 'empty' },
    make('h1', { textContent: 'Have you just paid?' }),
    make('p', {
      className: 'soft',
      textContent:
        'Then the bakery has what you ordered. This device does not have the details: the page on which you paid is the receipt.',
    }),
    back(),
  );

/** Thanks the shopper and shows the order, or says where its details are. */
export const thanks = async (main: HTMLElement): Promise<void> => {
  const order = paidOrder(new URLSearchParams(location.search).get('session'));
  main.className = 'narrow';
  if (!order) {
    main.replaceChildren(elsewhere());
    return;
  }
  const { session, items, when, notes } = order;
  const text = (amount: number) => money(amount, session.currency);
  const rows = items.map((item) =>
    make(
      'li',
      {},
      picture(item.product),
      make('div', {}, make('h3', { textContent: item.name }), make('p', { className: 'soft', textContent: `Quantity ${item.quantity}` })),
      make('b', { textContent: text(item.total) }),
    ),
  );
  main.replaceChildren(
    make(
      'section',
      { className: 'empty' },
      make('i', { className: 'mark', ariaHidden: 'true' }),
      make('h1', { textContent: 'Thank you' }),
      make('p', { className: 'soft', textContent: 'Your order is in. We bake it for the day below.' }),
      back(),
      make('a', { href: session.url, textContent: 'Show the receipt' }),
    ),
    make(
      'section',
      {},
      make('h2', { textContent: 'Your order' }),
      make('ul', { className: 'lines' }, ...rows),
      ...(session.delivery_fee > 0 ? [sum('Subtotal', text(session.subtotal)), sum('Delivery', text(session.delivery_fee))] : []),
      sum('Total', text(session.total)),
    ),
    make(
      'section',
      {},
      make('h2', { textContent: 'Pickup or delivery' }),
      make('p', { textContent: when }),
      ...(notes ? [make('p', { className: 'soft', textContent: `Your note: ${notes}` })] : []),
    ),
  );
};
