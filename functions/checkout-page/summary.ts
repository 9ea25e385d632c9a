import type { Region } from '../../shared/core/config.ts';
import { type Html, html } from '../../shared/core/html.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import { addressText } from '../../shared/domain/free-fields.ts';
import { orderAddress } from './address.ts';
import { dateText, money, timeText } from './locale.ts';

const headings: Readonly<Record<string, string>> = { pickup: 'Pickup', delivery: 'Delivery', dispatch: 'Dispatch' };

interface Order {
  readonly session: CheckoutSession;
  readonly settings: Settings;
  readonly region: Region;
}

/** Returns the label of the chosen slot. A label of its times says nothing more. */
const slotLabel = ({ slot }: CheckoutSession): string => (slot && slot.label !== `${slot.start} - ${slot.end}` ? slot.label : '');

const itemRow = ({ image, quantity, name, unit_price, total }: CheckoutSession['items'][number], currency: string): Html => html`<li>
${image !== undefined && html`<span class="picture"><img src="${image}" alt=""></span>`}
<span>${quantity} × ${name}${quantity > 1 && html`<br><small>${money(unit_price, currency)} each</small>`}</span>
<span class="amount">${money(total, currency)}</span></li>`;

/**
 * Returns the summary: items, sums, and the time and place of the order. On a phone, the summary
 * can fold to one line with the total. If `folded` is true, it starts folded.
 */
export const summary = (order: Order, { folded = false } = {}): Html => {
  const { session, settings, region } = order;
  const { currency, items, delivery_type } = session;
  const pickedUpAt = delivery_type === 'pickup' ? settings.checkout?.branding?.address : undefined;
  const address = pickedUpAt || orderAddress(region, session);
  const { delivery_time, slot } = session;
  const time = delivery_time === null ? '' : timeText(region, delivery_time, slot?.end ?? undefined);
  const label = slotLabel(session);
  const sum = (name: string, amount: number, className = '') =>
    html`<div class="${className}"><dt>${name}</dt><dd>${money(amount, currency)}</dd></div>`;
  const count = items.reduce((all, { quantity }) => all + quantity, 0);
  return html`<aside aria-label="Order summary">
${folded && html`<details class="fold"><summary>Your order (${count} ${count === 1 ? 'item' : 'items'}) <b>${money(session.total, currency)}</b></summary></details>`}
<h2>Your order</h2>
<ul class="cart">${items.map((item) => itemRow(item, currency))}</ul>
<dl class="sums">
${delivery_type === 'delivery' && [sum('Subtotal', session.subtotal), sum('Delivery fee', session.delivery_fee)]}
${sum('Total', session.total, 'total')}
</dl>
<section>
<h2>${headings[delivery_type] ?? 'Delivery'}</h2>
<p>${dateText(region, session.delivery_date)}${time && html`<br>${time}`}</p>
${label && html`<p>${label}</p>`}
${address && html`<p class="break">${addressText(address)}</p>`}
</section>
</aside>`;
};
