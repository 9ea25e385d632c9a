import { expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { approveCard, type Counter, declineCard, openCounter, type PageResponse, pendingCard, refreshOf } from './page.ts';

const world = shared(startWorld);

/** What has the focus on a page when it opens, without scripts: a screen reader begins there. */
const focused = ({ text }: PageResponse): readonly string[] =>
  [...text.matchAll(/<(section|h1)[^>]* tabindex="-1" autofocus>([\s\S]*?)<\/\1>/g)].map(([, , inner = '']) =>
    inner.replaceAll(/<[^>]+>/g, '').trim(),
  );
const titleOf = ({ text }: PageResponse) => /<title>(.*)<\/title>/.exec(text)?.[1];

const shown = (counter: Counter) => counter.visit('GET', counter.path);
const dayMs = 24 * 3_600_000;

test.each<[string, (counter: Counter) => Promise<PageResponse>, string, string]>([
  ['a form with an error', (counter) => counter.pay('1234'), 'Error: Checkout', 'Please correct the marked fields.\nCard number'],
  [
    'a declined card',
    async (counter) => {
      await counter.pay(declineCard);
      return shown(counter);
    },
    'Error: Checkout',
    'The card was declined. Please try another one.',
  ],
  [
    'a pending payment',
    async (counter) => {
      await counter.pay(pendingCard);
      return shown(counter);
    },
    'Payment pending',
    'Your payment is being checked',
  ],
  [
    'a receipt',
    async (counter) => {
      await counter.pay(approveCard);
      return shown(counter);
    },
    'Thank you',
    'Thank you for your order',
  ],
  [
    'an expired session',
    async (counter) => {
      world.clock.advance(dayMs);
      return shown(counter);
    },
    'Error: Checkout expired',
    'This checkout has expired',
  ],
])('the page of %s has the focus on its message, also without scripts', async (_state, open, title, message) => {
  const response = await open(await openCounter(world));
  expect([titleOf(response), focused(response)]).toEqual([`${title} – Test bakery`, [message]]);
});

test('a page that was not found has the focus on its message, and its title begins with "Error:"', async () => {
  const counter = await openCounter(world);
  const response = await counter.visit('GET', '/checkout/acct_0/cs_0');
  expect([titleOf(response), focused(response)]).toEqual(['Error: Checkout not found', ['Checkout not found']]);
});

test('an open checkout takes the focus nowhere', async () => {
  const response = await shown(await openCounter(world));
  expect([titleOf(response), focused(response)]).toEqual(['Checkout – Test bakery', []]);
});

test('a card that is no test card opens the list of test cards', async () => {
  const counter = await openCounter(world);
  expect((await shown(counter)).text).toContain('<details class="cards">');
  expect((await counter.pay('1234')).text).toContain('<details class="cards" open>');
});

test('the page of a pending payment reloads itself without scripts, and its script may request it; an open checkout does neither', async () => {
  const counter = await openCounter(world);
  const read = async () => {
    const response = await shown(counter);
    return [refreshOf(response), /connect-src [^;]+/.exec(response.headers['Content-Security-Policy'] ?? '')?.[0]];
  };
  expect(await read()).toEqual([undefined, undefined]);
  await counter.pay(pendingCard);
  expect(await read()).toEqual([`15; url=${counter.path}`, "connect-src 'self'"]);
});
