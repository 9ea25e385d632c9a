import type { Product } from '../../../clients/typescript/src/index.ts';
import { readCart } from './cart.ts';
import { readProduct, shopName } from './client.ts';
import { amount, make, money, picture } from './elements.ts';
import { firstDay } from './when.ts';

const allergenText = (words: string, level: string, { allergens }: Product): string => {
  const names = allergens.filter((allergen) => allergen.level === level).map(({ name }) => name);
  return names.length > 0 ? `${words} ${names.join(', ')}.` : '';
};

/** Shows one product, with its sizes. */
export const productPage = async (main: HTMLElement): Promise<void> => {
  const product = await readProduct(new URLSearchParams(location.search).get('id') ?? '');
  const { id, name, description, price, currency, variants } = product;
  document.title = `${name} – ${shopName}`;
  const cost = make('p', { className: 'price' });
  const buy = make('div', {});
  const toCart = make('a', { className: 'button', href: '/cart', textContent: 'View cart' });
  const offerCart = () => {
    toCart.hidden = readCart().length === 0;
  };
  offerCart();
  addEventListener('cart', offerCart);
  const choose = (variant?: Product['variants'][number]) => {
    cost.textContent = money(variant?.price ?? price, currency);
    buy.replaceChildren(
      variant ? amount({ product_id: id, variant_id: variant.id }, `${name}, ${variant.name}`) : amount({ product_id: id }, name),
    );
  };
  const sizes = variants.map((variant, index) => {
    const radio = make('input', { type: 'radio', name: 'size', checked: index === 0 });
    radio.addEventListener('change', () => choose(variant));
    return make('label', {}, radio, `${variant.name} `, make('span', { className: 'soft', textContent: money(variant.price, currency) }));
  });
  choose(variants[0]);
  const allergens = [allergenText('Contains', 'contains', product), allergenText('May contain', 'may_contain', product)];
  const facts = [
    ['Allergens', allergens.filter(Boolean).join(' ') || 'None stated. Ask us if you are unsure.'],
    ['When', `${await firstDay()} Choose the day and the time in your cart.`.trim()],
    ['A wish', 'Write a note for the bakery in your cart.'],
  ] as const;
  main.replaceChildren(
    make('a', { className: 'back', href: '/', textContent: '← All products' }),
    make(
      'div',
      { className: 'product' },
      picture(product),
      make(
        'div',
        {},
        make('h1', { textContent: name }),
        cost,
        ...(description ? [make('p', { className: 'description', textContent: description })] : []),
        ...(sizes.length > 0 ? [make('fieldset', {}, make('legend', { textContent: 'Size' }), ...sizes)] : []),
        make('div', { className: 'buy' }, buy, toCart),
        make('dl', {}, ...facts.flatMap(([term, text]) => [make('dt', { textContent: term }), make('dd', { textContent: text })])),
      ),
    ),
  );
};
