import { type Html, html } from '../../shared/core/html.ts';
import { decimalsOf } from '../../shared/core/money.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import { addressText } from '../../shared/domain/free-members.ts';
import { timeSlotsOf } from '../../shared/domain/reference/rules.ts';

/**
 * Formats an amount with the decimals that are charged, because the usual format omits decimals for
 * some currencies.
 */
export const money = (amount: number, currency: string): string => {
  const decimals = decimalsOf(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol', ...digits }).format(amount);
};

const dateText = (date: string): string =>
  new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));

const headings: Readonly<Record<string, string>> = { pickup: 'Pickup', delivery: 'Delivery', dispatch: 'Dispatch' };

/**
 * Returns the time slot, for example `11:00 – 14:00`. If the slot is no longer configured, returns
 * only its start.
 */
const timeText = ({ delivery_type, delivery_time }: CheckoutSession, settings: Settings): string | null => {
  const slot = timeSlotsOf(settings).find(({ type, start }) => type === delivery_type && start === delivery_time);
  return slot?.end ? `${slot.start} – ${slot.end}` : delivery_time;
};

const itemRow = (item: CheckoutSession['items'][number], currency: string): Html => html`<li>
${item.image !== undefined && html`<span class="picture"><img src="${item.image}" alt=""></span>`}
<span>${item.quantity} × ${item.name}<br><small>${money(item.unit_price, currency)} each</small></span>
<span class="amount">${money(item.total, currency)}</span></li>`;

/**
 * Returns the summary: items, sums, and the time and place of the order. On a phone, the summary
 * can fold to one line with the total. If `folded` is true, it starts folded.
 */
export const cart = (session: CheckoutSession, settings: Settings, { folded = false } = {}): Html => {
  const { currency, items, delivery_type, delivery_address } = session;
  const time = timeText(session, settings);
  const sum = (name: string, amount: number, className = '') =>
    html`<div class="${className}"><dt>${name}</dt><dd>${money(amount, currency)}</dd></div>`;
  const count = items.reduce((all, { quantity }) => all + quantity, 0);
  return html`<aside aria-label="Order summary">
<details class="fold"${!folded && html` open`}><summary>Your order (${count} ${count === 1 ? 'item' : 'items'}) <b>${money(session.total, currency)}</b></summary></details>
<h2>Your order</h2>
<ul class="cart">${items.map((item) => itemRow(item, currency))}</ul>
<dl class="sums">
${sum('Subtotal', session.subtotal)}
${delivery_type === 'delivery' && sum('Delivery fee', session.delivery_fee)}
${sum('Total', session.total, 'total')}
</dl>
<section>
<h2>${headings[delivery_type] ?? 'Delivery'}</h2>
<p>${dateText(session.delivery_date)}${time && html`<br>${time}`}</p>
${delivery_address && html`<p class="break">${addressText(delivery_address)}</p>`}
</section>
</aside>`;
};
