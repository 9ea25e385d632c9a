import { type Html, html } from '../../shared/core/html.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import { addressText } from '../../shared/domain/free-fields.ts';
import { orderAddress } from './address.ts';
import { dateText, type Locale, money, timeText } from './locale.ts';

interface OrderSummary {
  readonly session: CheckoutSession;
  readonly settings: Settings;
  readonly account: Account;
  readonly locale: Locale;
}

/** Returns the label of the chosen slot. A label of its times says nothing more. */
const slotLabel = ({ slot }: CheckoutSession): string => (slot && slot.label !== `${slot.start} - ${slot.end}` ? slot.label : '');

const itemRow = (
  { image, quantity, name, unit_price, total }: CheckoutSession['items'][number],
  currency: string,
  locale: Locale,
): Html => html`<li>
${image !== undefined && html`<span class="picture"><img src="${image}" alt=""></span>`}
<span>${quantity} × <bdi>${name}</bdi>${quantity > 1 && html`<br><small>${locale.texts.summary.each(money(locale, unit_price, currency))}</small>`}</span>
<span class="amount">${money(locale, total, currency)}</span></li>`;

/**
 * Returns the summary: items, sums, time and place of the order, the note, and `end`. On a phone, the
 * summary can fold to one line with the total. If `folded` is true, it starts folded.
 */
export const summary = (order: OrderSummary, { folded = false, end }: { readonly folded?: boolean; readonly end?: Html } = {}): Html => {
  const { session, settings, account, locale } = order;
  const texts = locale.texts.summary;
  const { currency, items, delivery_type, notes } = session;
  const pickedUpAt = delivery_type === 'pickup' ? settings.checkout?.branding?.address : undefined;
  const address = pickedUpAt || orderAddress(account.region, session);
  const { delivery_time, slot } = session;
  const time = delivery_time === null ? '' : timeText(locale, delivery_time, slot?.end ?? undefined);
  const when = [time, slotLabel(session)].filter(Boolean).join(' · ');
  const sum = (name: string, amount: number, className = '') =>
    html`<div class="${className}"><dt>${name}</dt><dd>${money(locale, amount, currency)}</dd></div>`;
  const count = items.reduce((all, { quantity }) => all + quantity, 0);
  const day = [dateText(locale, session.delivery_date, 'short'), time].filter(Boolean).join(', ');
  return html`<aside aria-label="${texts.name}">
${folded && html`<details class="fold"><summary><span>${texts.orderOf(count)}</span> <b>${money(locale, session.total, currency)}</b><small>${texts[delivery_type]} · ${day}</small></summary></details>`}
<h2>${texts.order}</h2>
<ul class="cart">${items.map((item) => itemRow(item, currency, locale))}</ul>
<dl class="sums">
${delivery_type === 'delivery' && [sum(texts.subtotal, session.subtotal), sum(texts.fee, session.delivery_fee)]}
${sum(texts.total, session.total, 'total')}
</dl>
<section>
<h2>${texts[delivery_type]}</h2>
<p>${dateText(locale, session.delivery_date)}${when && html`<br>${when}`}</p>
${address && html`<p class="break">${addressText(address)}</p>`}
</section>
${notes && html`<section><h2>${texts.note}</h2><p class="break" dir="auto">${notes}</p></section>`}${end}
</aside>`;
};
