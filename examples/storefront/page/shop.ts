import { readCart } from './cart.ts';
import { cartPage } from './cart-page.ts';
import { catalog } from './catalog.ts';
import { sentenceOf, shopName } from './client.ts';
import { find, make } from './elements.ts';
import { productPage } from './product.ts';
import { thanks } from './thanks.ts';

const pages: Readonly<Record<string, (main: HTMLElement) => Promise<void>>> = {
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
  await (pages[location.pathname] ?? catalog)(main);
} catch (error) {
  main.replaceChildren(
    make('p', { role: 'alert', className: 'problem', textContent: sentenceOf(error) }),
    make('a', { className: 'button', href: '/', textContent: 'All products' }),
  );
}
showCount();
addEventListener('cart', showCount);
// The browser's back button shows the page as it was before the cart changed.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
