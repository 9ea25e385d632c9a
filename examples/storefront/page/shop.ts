import { ApiError } from '../../../clients/typescript/src/index.ts';
import { readCart } from './cart.ts';
import { cartPage } from './cart-page.ts';
import { catalog } from './catalog.ts';
import { shopAddress, shopName } from './client.ts';
import { emptyState, find, make, texts } from './elements.ts';
import { productPage } from './product.ts';
import { thanks } from './thanks.ts';
import { pickupHours } from './when.ts';

/** The server sends this page with the status 404. */
const notFound = async (main: HTMLElement): Promise<void> =>
  main.replaceChildren(emptyState(texts.notFound.heading, texts.notFound.about, texts.cart.products));

const pages: Readonly<Record<string, (main: HTMLElement) => Promise<void>>> = {
  '/': catalog,
  '/product': productPage,
  '/cart': cartPage,
  '/thanks': thanks,
};

const showCount = (): void => {
  const count = readCart().reduce((all, { quantity }) => all + quantity, 0);
  find('#count').textContent = count > 0 ? String(count) : '';
};

find<HTMLInputElement>('[name=q]').value = new URLSearchParams(location.search).get('q') ?? '';
const main = find<HTMLElement>('main');
try {
  await (pages[location.pathname] ?? notFound)(main);
} catch (error) {
  console.error(error);
  // The page does not go on by itself, even if the footer still waits.
  find<HTMLElement>('#wait').hidden = true;
  const { errors } = texts;
  const isGone = error instanceof ApiError && error.status === 404;
  const [title, text, way, href] = isGone
    ? [errors.gone, errors.goneAbout, texts.cart.products, '/']
    : [errors.away, errors.awayAbout, errors.again, location.href];
  document.title = `${title} – ${shopName}`;
  main.replaceChildren(make('div', { role: 'alert' }, emptyState(title, text, way, href)));
}
/** Shows what the account says of the bakery. A part that it does not say stays hidden. */
const showFooter = async (): Promise<void> => {
  const fill = (selector: string, texts: readonly string[]) => {
    const part = find<HTMLElement>(selector);
    part.append(...texts.map((textContent) => make('dd', { textContent })));
    part.hidden = texts.length === 0;
  };
  fill('#address', shopAddress ? [shopAddress] : []);
  fill('#hours', await pickupHours());
};

showCount();
// Without it, the shop works as well.
showFooter().catch(() => undefined);
addEventListener('cart', showCount);
// The browser's back button shows the page as it was before the cart changed.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
