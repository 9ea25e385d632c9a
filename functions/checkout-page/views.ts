import { type Html, html } from '../../shared/core/html.ts';
import { decimalsOf } from '../../shared/core/money.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import { type CheckoutSession, hostedPagePath } from '../../shared/domain/checkout/record.ts';
import type { SessionState } from '../../shared/domain/checkout/rules.ts';
import { addressText } from '../../shared/domain/free-members.ts';
import { timeSlotsOf } from '../../shared/domain/reference/rules.ts';
import type { PaymentGateway } from '../../shared/providers/payment-gateways/gateway.ts';
import { sandboxCards } from '../../shared/providers/payment-gateways/sandbox.ts';
import { answerOf, askedFields, type Field, type FieldErrors, messages } from './form.ts';
import type { Brand, Page } from './frame.ts';

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

/** The data that a page shows. */
export interface View {
  readonly brand: Brand;
  readonly session: CheckoutSession;
  readonly settings: Settings;
  readonly gateway: PaymentGateway;
  /** A submitted form with errors. The page shows it again. */
  readonly sent?: { readonly form: ReadonlyMap<string, string>; readonly errors: FieldErrors };
}

/** An input field of the form. */
interface Input extends Pick<Field, 'label' | 'autocomplete' | 'required'> {
  readonly name: string;
  readonly type: Field['type'] | 'card';
  readonly value: string;
}

const cardInput: Omit<Input, 'value'> = {
  name: 'card_number',
  label: 'Card number',
  type: 'card',
  autocomplete: 'cc-number',
  required: true,
};

/**
 * Returns the inputs in order. Their values come from the submitted form, or else from the session.
 */
const inputsOf = ({ session, gateway, sent }: View): readonly Input[] => [
  ...askedFields(session).map((field) => ({ ...field, value: sent ? (sent.form.get(field.name) ?? '') : answerOf(session, field.name) })),
  ...(gateway.takesCards ? [{ ...cardInput, value: sent?.form.get(cardInput.name) ?? '' }] : []),
];

/** Returns the errors of the submitted form, or of the field value that the gateway rejected. */
const errorsOf = ({ session: { refused }, sent }: View): FieldErrors =>
  sent?.errors ?? new Map(refused === null ? [] : [[refused, messages[refused]]]);

const field = ({ name, label, type, autocomplete, required, value }: Input, errors: FieldErrors): Html => {
  const error = errors.get(name);
  const described = error && html` aria-invalid="true" aria-describedby="${name}-error"`;
  const isRequired = required && html` required`;
  return html`<div><label for="${name}">${label}${!required && html` <small>(optional)</small>`}</label>
${
  type === 'address'
    ? html`<textarea id="${name}" name="${name}" rows="2" autocomplete="${autocomplete}"${isRequired}${described}>${value}</textarea>`
    : html`<input id="${name}" name="${name}" type="${type === 'card' ? 'text' : type}"${type === 'card' && html` inputmode="numeric"`} autocomplete="${autocomplete}" value="${value}"${isRequired}${described}>`
}
${error && html`<p class="error" id="${name}-error">${error}</p>`}</div>`;
};

/** Returns the rows of the form. First and last name share a row. */
const fieldRows = (inputs: readonly Input[], errors: FieldErrors): Html => {
  const names = inputs.filter(({ name }) => name === 'first_name' || name === 'last_name');
  const others = inputs.filter((input) => !names.includes(input));
  const row = names.map((input) => field(input, errors));
  return html`${row.length > 1 ? html`<div class="pair">${row}</div>` : row}${others.map((input) => field(input, errors))}`;
};

const behaviours = { approve: 'Approved', decline: 'Declined', pending: 'Decided later' } as const;

const testCards = html`<details class="cards"><summary>Test mode: this shop takes no money. Show test cards</summary>
<table><thead><tr><th scope="col">Card number</th><th scope="col">Result</th><td></td></tr></thead>
<tbody>${sandboxCards.map(
  ({ number, behaviour }) =>
    html`<tr><td>${number}</td><td>${behaviours[behaviour]}</td><td><button type="button" class="plain" data-copy="${number}" aria-label="Copy ${number}" hidden>Copy</button></td></tr>`,
)}</tbody></table></details>`;

const hidden = (values: Readonly<Record<string, string>>): Html[] =>
  Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);

const payForm = (view: View): Html => {
  const { session } = view;
  const errors = errorsOf(view);
  const inputs = inputsOf(view);
  const [details, card] = [inputs.filter(({ type }) => type !== 'card'), inputs.filter(({ type }) => type === 'card')];
  return html`<form method="post" action="${hostedPagePath(session)}/pay">
${hidden({ token: session.token })}
${details.length > 0 && html`<h2>Your details</h2>${fieldRows(details, errors)}`}
${card.length > 0 && html`<h2>Payment</h2>${card.map((input) => field(input, errors))}`}
<button type="submit" data-busy="Paying…">Pay ${money(session.total, session.currency)}</button>
${card.length > 0 && testCards}
</form>`;
};

const back = ({ session }: View): Html => html`<p><a class="button" href="${session.cancel_url}">Back to the shop</a></p>`;

/** Returns the error above the form, with a link to each invalid field. */
const alert = (view: View): Html | false => {
  const { sent, session } = view;
  const message = sent ? 'Please correct the marked fields.' : session.declined;
  const errors = errorsOf(view);
  const links = inputsOf(view).filter(({ name }) => errors.has(name));
  return (
    message !== null &&
    html`<section class="alert" role="alert"><p>${message}</p>
${links.length > 0 && html`<ul>${links.map(({ name, label }) => html`<li><a href="#${name}">${label}</a></li>`)}</ul>`}</section>`
  );
};
const again = ({ session }: View): Html => html`<p><a href="${hostedPagePath(session)}">Check again</a></p>`;

const openPage = (view: View): Html => html`<h1>Checkout</h1>
${alert(view)}
${cart(view.session, view.settings, { folded: true })}
${payForm(view)}`;

/**
 * Returns buttons that simulate the bank's decision for a sandbox payment. A real bank would send
 * its notice itself.
 */
const bankButtons = ({ session, gateway }: View): Html | false =>
  gateway.name === 'sandbox' &&
  session.payment?.gateway === 'sandbox' &&
  html`<form method="post" action="/checkout/${session.account}/notices/sandbox">
<h2>Test mode</h2>
<p>Decide as the bank would:</p>
${hidden({ session: session.id, token: session.token, transaction_id: session.payment.transaction_id ?? '' })}
<button type="submit" name="answer" value="approve">Approve the payment</button>
<button type="submit" name="answer" value="decline" class="plain">Decline the payment</button>
</form>`;

const pendingPage = (view: View): Html => {
  const { session, settings } = view;
  const url = session.payment?.redirect_url;
  if (url)
    return html`<h1>Checkout</h1>${cart(session, settings)}
<section><p>You pay on the next page.</p><a class="button" href="${url}">Continue to payment</a></section>`;
  return html`<h1>Your payment is being checked</h1>
<section role="status"><p>Your bank has not decided yet. You will not be charged twice. You may close this page: the shop receives your order when the bank approves.</p>${again(view)}</section>
${cart(session, settings)}
${bankButtons(view)}`;
};

const interruptedPage = (view: View): Html => html`<h1>Your payment was interrupted</h1>
<section role="status"><p>We do not know its result yet. Finishing it does not charge you twice.</p>
<form method="post" action="${hostedPagePath(view.session)}/pay">${hidden({ token: view.session.token })}
<button type="submit" data-busy="Asking…">Finish the payment</button></form></section>
${cart(view.session, view.settings)}`;

const pages: Readonly<Record<SessionState, { readonly title: string; readonly refreshSeconds?: number; main(view: View): Html }>> = {
  open: { title: 'Checkout', main: openPage },
  pending: { title: 'Payment pending', main: pendingPage },
  interrupted: { title: 'Payment interrupted', main: interruptedPage },
  processing: {
    title: 'Payment in progress',
    refreshSeconds: 3,
    main: (view) => html`<h1>Your payment is in progress</h1>
<section role="status"><p>This takes a few seconds.</p>${again(view)}</section>${cart(view.session, view.settings)}`,
  },
  paid: {
    title: 'Thank you',
    main: (view) => html`<h1>Thank you for your order</h1>
<section role="status" class="done"><p>Your payment of ${money(view.session.total, view.session.currency)} has arrived.</p>
<a class="button" href="${view.session.success_url}">Continue to the shop</a></section>${cart(view.session, view.settings)}`,
  },
  expired: {
    title: 'Checkout expired',
    main: (view) => html`<h1>This checkout has expired</h1>
<section><p>Nothing was charged. Please start again in the shop.</p>${back(view)}</section>${cart(view.session, view.settings)}`,
  },
  exhausted: {
    title: 'Checkout closed',
    main: (view) => html`<h1>This checkout is closed</h1>
<section><p>Too many payments were declined. Please start again in the shop.</p>${back(view)}</section>${cart(view.session, view.settings)}`,
  },
};

/** Returns the page of a session in the given state. */
export const sessionPage = (view: View, state: SessionState): Page => {
  const { main, ...frame } = pages[state];
  const { session, brand, sent } = view;
  return {
    ...frame,
    brand,
    // After the payment, the page does not link back to the shop's cart.
    ...(state === 'paid' ? {} : { shopUrl: session.cancel_url }),
    main: main(view),
    hasSummary: true,
    formsLeadTo: session.success_url,
    ...(sent ? { status: 422 } : {}),
  };
};
