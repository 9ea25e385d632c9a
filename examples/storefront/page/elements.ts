import { type Choice, quantityOf, setQuantity } from './cart.ts';
import { drawingOf, moneyIn, type Pictured } from './shown.ts';
import { textsIn } from './texts/all.ts';

export const find = <Kind extends Element>(selector: string, within: ParentNode = document): Kind => {
  const found = within.querySelector<Kind>(selector);
  if (!found) throw new Error(`The page has no ${selector}.`);
  return found;
};

/** Sets text as text, because a bakery's text may contain markup. */
export const make = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] => {
  const element = document.createElement(tag);
  Object.assign(element, properties).append(...children);
  return element;
};

const { lang } = document.documentElement;
/** Texts in the language that the server chose among the browser's. */
export const texts = textsIn(lang);
/** The browser's language tag of that language, for dates and amounts. */
export const language = navigator.languages.find((tag) => tag.toLowerCase().startsWith(lang)) ?? lang;

export const money = moneyIn(language);

/** Returns one of the product's pictures; if it has none, or it fails to load, its drawing. */
export const picture = (product: Pictured, at = 0): HTMLImageElement => {
  const drawing = drawingOf(product);
  const image = make('img', { alt: '', src: product.images[at] ?? drawing });
  image.addEventListener('error', () => image.setAttribute('src', drawing), { once: true });
  return image;
};

/** Returns a line of sums: its name at the left, its amount at the right. */
export const sum = (name: string, text: string): HTMLElement =>
  make('p', { className: 'sum' }, `${name} `, make('output', { textContent: text }));

/** Returns a message in place of a list, with a way back to the products. */
export const emptyState = (title: string, text: string, way: string, href = '/'): HTMLElement =>
  make(
    'section',
    { className: 'empty' },
    make('img', { alt: '', src: '/pictures/other.svg' }),
    make('h1', { textContent: title }),
    make('p', { className: 'soft', textContent: text }),
    make('a', { className: 'button', href, textContent: way }),
  );

const most = 99;

/** Returns *Add to cart*, or − n + if the cart has the choice. Both change the cart. */
export const amount = (choice: Choice, name: string): HTMLElement => {
  const add = make('button', { type: 'button', textContent: texts.cart.add, ariaLabel: `${texts.cart.add}: ${name}` });
  const fewer = make('button', { type: 'button', textContent: '−', ariaLabel: `${texts.cart.fewer}: ${name}` });
  const count = make('output', { ariaLabel: `${texts.cart.count}: ${name}` });
  const more = make('button', { type: 'button', textContent: '+', ariaLabel: `${texts.cart.more}: ${name}` });
  const stepper = make('div', { className: 'stepper' }, fewer, count, more);
  const show = () => {
    const quantity = quantityOf(choice);
    count.textContent = String(quantity);
    add.hidden = quantity > 0;
    stepper.hidden = quantity === 0;
    more.disabled = quantity >= most;
  };
  const change = (by: number) => {
    setQuantity(choice, quantityOf(choice) + by);
    show();
  };
  add.addEventListener('click', () => {
    change(1);
    more.focus();
  });
  fewer.addEventListener('click', () => {
    change(-1);
    if (!add.hidden) add.focus();
  });
  more.addEventListener('click', () => change(1));
  show();
  return make('div', { className: 'amount' }, add, stepper);
};
