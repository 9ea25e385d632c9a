import { ApiError, type CheckoutSession, type Product } from '../../../clients/typescript/src/index.ts';
import {
  idempotencyKeyFor,
  keepChoices,
  keepFee,
  keepNote,
  keepOrder,
  knownFee,
  type Line,
  quantityOf,
  readCart,
  readNote,
  setQuantity,
} from './cart.ts';
import { client, readProduct, sentenceOf, shopAddress } from './client.ts';
import { amount, emptyState, find, make, money, picture, sum, texts } from './elements.ts';
import { productPath } from './shown.ts';
import { offerTimes, type When } from './when.ts';

/** A line of the cart with its product. */
interface Item extends Line {
  readonly product: Product;
  /** Name of the product, with its size. */
  readonly name: string;
  readonly price: number;
}

/** Returns no item for a product or size that the bakery no longer sells, and takes it out of the cart. */
const readItem = async (line: Line): Promise<Item[]> => {
  try {
    const product = await readProduct(line.product_id);
    const variant = product.variants.find(({ id }) => id === line.variant_id);
    // The bakery has changed the sizes since.
    if (!variant && (line.variant_id !== undefined || product.variants.length > 0)) {
      setQuantity(line, 0);
      return [];
    }
    const name = variant ? `${product.name}, ${variant.name}` : product.name;
    return [{ ...line, product, name, price: variant?.price ?? product.price }];
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    setQuantity(line, 0);
    return [];
  }
};

const row = ({ product, name, price, product_id, variant_id }: Item): HTMLElement => {
  const choice = variant_id === undefined ? { product_id } : { product_id, variant_id };
  const remove = make('button', {
    type: 'button',
    className: 'plain',
    textContent: texts.cart.remove,
    ariaLabel: `${texts.cart.remove}: ${name}`,
  });
  remove.addEventListener('click', () => setQuantity(choice, 0));
  const cost = make('b', {});
  const each = make('p', { className: 'soft', textContent: texts.cart.each(money(price, product.currency)) });
  const element = make(
    'li',
    {},
    picture(product),
    make(
      'div',
      {},
      make('h2', {}, make('a', { href: productPath(product), textContent: name })),
      each,
      make('div', { className: 'change' }, amount(choice, name), remove),
    ),
    cost,
  );
  const follow = () => {
    const quantity = quantityOf(choice);
    cost.textContent = money(price * quantity, product.currency);
    each.hidden = quantity === 1;
    if (quantity === 0) element.remove();
  };
  follow();
  addEventListener('cart', follow);
  return element;
};

const nothing = (main: HTMLElement): void => {
  main.replaceChildren(emptyState(texts.cart.empty, texts.cart.emptyAbout, texts.cart.products));
};

/** Creates the session of the cart. The same cart has the same session. Remembers the fee of its slot. */
const createSession = async ({ order: choice }: When): Promise<CheckoutSession> => {
  const order = {
    items: [...readCart()],
    ...choice,
    success_url: `${location.origin}/thanks?session={CHECKOUT_SESSION_ID}`,
    cancel_url: `${location.origin}/cart`,
  };
  const session = await client.checkout.create(order, { idempotencyKey: idempotencyKeyFor(order) });
  if (choice.delivery_type === 'delivery') keepFee(choice.delivery_time, session.delivery_fee);
  return session;
};

/** Creates the session, keeps the order for `/thanks`, and goes to the hosted page. */
const checkOut = async (items: readonly Item[], when: When): Promise<void> => {
  const lines = readCart();
  const session = await createSession(when);
  const bought = items.flatMap(({ product, name, price, product_id, variant_id }) => {
    const quantity = lines.find((line) => line.product_id === product_id && line.variant_id === variant_id)?.quantity ?? 0;
    return quantity > 0
      ? [{ name, product: { name: product.name, images: product.images, category: product.category }, quantity, total: price * quantity }]
      : [];
  });
  const { delivery_type, notes } = when.order;
  keepOrder({ session, items: bought, type: delivery_type, when: when.text, ...(notes === undefined ? {} : { notes }) });
  location.assign(session.url);
};

/** Shows the cart, asks for a time, and leads to the checkout. */
export const cartPage = async (main: HTMLElement): Promise<void> => {
  const items = (await Promise.all(readCart().map(readItem))).flat();
  if (items.length === 0) return nothing(main);
  const page = find<HTMLTemplateElement>('#cart').content;
  const form = find<HTMLFormElement>('form', page);
  const problem = find<HTMLElement>('.problem', page);
  const button = find<HTMLButtonElement>('aside button', page);
  find('.lines', page).append(...items.map(row));
  const showProblem = (error: unknown) => {
    problem.textContent = sentenceOf(error);
    button.disabled = false;
  };
  const note = find<HTMLTextAreaElement>('[name=notes]', page);
  note.value = readNote();
  note.addEventListener('input', () => keepNote(note.value));
  const when = await offerTimes(form, showProblem);
  const sums = find<HTMLElement>('#sums', page);
  const place = find<HTMLElement>('#place', page);
  place.textContent = texts.cart.place(shopAddress ?? '');
  const showSums = () => {
    const text = (amount: number) => money(amount, items[0]?.product.currency ?? 'USD');
    const subtotal = items.reduce((total, item) => total + item.price * quantityOf(item), 0);
    const { delivery_type, delivery_time } = when().order;
    const fee = delivery_type === 'delivery' ? knownFee(delivery_time) : 0;
    sums.replaceChildren(
      ...(delivery_type === 'delivery'
        ? [sum(texts.page.subtotal, text(subtotal)), sum(texts.page.delivery, fee === undefined ? texts.cart.feeLater : text(fee))]
        : []),
      ...(fee === undefined ? [] : [sum(texts.thanks.total, text(subtotal + fee))]),
    );
  };
  const followChoice = () => {
    const choice = when();
    const { delivery_type, delivery_time } = choice.order;
    keepChoices(choice.order);
    place.hidden = delivery_type === 'delivery' || !shopAddress;
    showSums();
    // Only a session has the fee. If it cannot be created, the button says why.
    if (delivery_type === 'delivery' && delivery_time && knownFee(delivery_time) === undefined)
      createSession(choice).then(showSums, () => undefined);
  };
  followChoice();
  form.addEventListener('change', followChoice);
  addEventListener('cart', () => {
    if (readCart().length === 0) nothing(main);
    else showSums();
    // A removed line takes the focus with it.
    if (document.activeElement === document.body) find<HTMLElement>('h1', main).focus();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    problem.textContent = '';
    button.disabled = true;
    checkOut(items, when()).catch(showProblem);
  });
  main.replaceChildren(page);
};
