import { readCart } from './cart.ts';
import { cartPage } from './cart-page.ts';
import { catalog } from './catalog.ts';
import { sentenceOf, shopAddress, shopName } from './client.ts';
import { emptyState, find, make } from './elements.ts';
import { productPage } from './product.ts';
import { thanks } from './thanks.ts';
import { pickupHours } from './when.ts';

/** The server sends this page with the status 404. */
const notFound = async (main: HTMLElement): Promise<void> =>
  main.replaceChildren(emptyState('This page does not exist', 'It may have moved, or the address has a typing error.', 'See what we bake'));

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

find('#name').textContent = shopName;
document.title = shopName;
find<HTMLInputElement>('[name=q]').value = new URLSearchParams(location.search).get('q') ?? '';
const main = find<HTMLElement>('main');
try {
  await (pages[location.pathname] ?? notFound)(main);
} catch (error) {
  // The page does not go on by itself, even if the footer still waits.
  find<HTMLElement>('#wait').hidden = true;
  main.replaceChildren(
    make('p', { role: 'alert', className: 'problem', textContent: sentenceOf(error) }),
    make('a', { className: 'button', href: '/', textContent: 'All products' }),
  );
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
