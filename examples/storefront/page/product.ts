import type { Product } from '../../../clients/typescript/src/index.ts';
import { readCart } from './cart.ts';
import { readProduct, shopName } from './client.ts';
import { amount, make, money, picture, texts } from './elements.ts';
import { firstDay } from './when.ts';

const allergenText = (sentence: (names: string) => string, level: string, { allergens }: Product): string => {
  const names = allergens.filter((allergen) => allergen.level === level).map(({ name }) => name);
  return names.length > 0 ? sentence(names.join(', ')) : '';
};

/** Shows one product, with its sizes. */
export const productPage = async (main: HTMLElement): Promise<void> => {
  const product = await readProduct(new URLSearchParams(location.search).get('id') ?? '');
  const { id, name, description, price, currency, variants } = product;
  document.title = `${name} – ${shopName}`; // the server may not know the product yet
  const cost = make('p', { className: 'price' });
  const buy = make('div', {});
  const toCart = make('a', { className: 'button', href: '/cart', textContent: texts.product.cart });
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
  const allergens = [
    allergenText(texts.product.contains, 'contains', product),
    allergenText(texts.product.mayContain, 'may_contain', product),
  ];
  const facts = [
    [texts.product.allergens, allergens.filter(Boolean).join(' ') || texts.product.noAllergens],
    [texts.product.when, `${await firstDay()} ${texts.product.choose}`.trim()],
    [texts.product.wish, texts.product.write],
  ] as const;
  main.replaceChildren(
    make('a', { className: 'back', href: '/', textContent: `← ${texts.product.all}` }),
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
        ...(sizes.length > 0 ? [make('fieldset', {}, make('legend', { textContent: texts.product.size }), ...sizes)] : []),
        make('div', { className: 'buy' }, buy, toCart),
        make('dl', {}, ...facts.flatMap(([term, text]) => [make('dt', { textContent: term }), make('dd', { textContent: text })])),
      ),
    ),
  );
};
