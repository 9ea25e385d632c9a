import { paidOrder } from './cart.ts';
import { shopAddress } from './client.ts';
import { make, money, picture, sum, texts } from './elements.ts';

const back = () => make('a', { className: 'button', href: '/', textContent: texts.thanks.back });

/** A publishable key reads no orders, so another device cannot show this one. */
const elsewhere = () =>
  make(
    'section',
    { className: 'empty' },
    make('h1', { textContent: texts.thanks.elsewhere }),
    make('p', { className: 'soft', textContent: texts.thanks.elsewhereAbout }),
    back(),
  );

/** Thanks the shopper and shows the order, or says where its details are. */
export const thanks = async (main: HTMLElement): Promise<void> => {
  const order = paidOrder(new URLSearchParams(location.search).get('session'));
  main.className = 'narrow';
  if (!order) return main.replaceChildren(elsewhere());
  const { session, items, type, when, notes } = order;
  const text = (amount: number) => money(amount, session.currency);
  const rows = items.map((item) =>
    make(
      'li',
      {},
      picture(item.product),
      make(
        'div',
        {},
        make('h3', { textContent: item.name }),
        make('p', { className: 'soft', textContent: texts.thanks.quantity(item.quantity) }),
      ),
      make('b', { textContent: text(item.total) }),
    ),
  );
  main.replaceChildren(
    make(
      'section',
      { className: 'empty' },
      make('i', { className: 'mark', ariaHidden: 'true' }),
      make('h1', { textContent: texts.thanks.heading }),
      make('p', { className: 'soft', textContent: texts.thanks.about }),
      back(),
      make('a', { href: session.url, textContent: texts.thanks.receipt }),
    ),
    make(
      'section',
      {},
      make('h2', { textContent: texts.thanks.order }),
      make('ul', { className: 'lines' }, ...rows),
      ...(session.delivery_fee > 0
        ? [sum(texts.page.subtotal, text(session.subtotal)), sum(texts.page.delivery, text(session.delivery_fee))]
        : []),
      sum(texts.thanks.total, text(session.total)),
    ),
    make(
      'section',
      {},
      make('h2', { textContent: texts.page[type] }),
      make('p', { textContent: when }),
      ...(type === 'pickup' && shopAddress ? [make('p', { textContent: shopAddress })] : []),
      ...(notes ? [make('p', { className: 'soft', textContent: texts.thanks.note(notes) })] : []),
    ),
  );
};
