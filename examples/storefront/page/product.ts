import type { Product } from '../../../clients/typescript/src/index.ts';
import { readCart } from './cart.ts';
import { card, readProducts } from './catalog.ts';
import { readProduct, shopName } from './client.ts';
import { amount, make, money, picture, texts } from './elements.ts';
import { allergensOf } from './shown.ts';
import { firstDay } from './when.ts';

/** Returns the product's pictures beside each other; the shopper scrolls from one to the next. */
const gallery = (product: Product): HTMLElement => {
  const pictures = (product.images.length > 0 ? product.images : ['']).map((_, at) => picture(product, at));
  if (pictures.length === 1) return pictures[0] as HTMLImageElement;
  return make('div', { className: 'gallery', tabIndex: 0, role: 'group', ariaLabel: texts.product.pictures(pictures.length) }, ...pictures);
};

/** Shows other products, those of the same category first. Without them, the page is complete too. */
const showOthers = async (main: HTMLElement, { id, category }: Product): Promise<void> => {
  const others = (await readProducts()).filter((product) => product.id !== id);
  const [same, different] = [true, false].map((isSame) => others.filter((product) => (product.category === category) === isSame));
  const cards = [...(same ?? []), ...(different ?? [])].slice(0, 4).map(card);
  if (cards.length > 0)
    main.append(make('h2', { className: 'others', textContent: texts.product.others }), make('ul', { className: 'products' }, ...cards));
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
  const facts = [
    [texts.product.allergens, allergensOf(product, texts)],
    [texts.product.when, `${await firstDay()} ${texts.product.choose}`.trim()],
    [texts.product.wish, texts.product.write],
  ] as const;
  main.replaceChildren(
    make('a', { className: 'back', href: '/', textContent: `← ${texts.product.all}` }),
    make(
      'div',
      { className: 'product' },
      gallery(product),
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
  showOthers(main, product).catch(() => undefined);
};
