import type { Region } from '../../shared/core/config.ts';
import { type Html, html } from '../../shared/core/html.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import { type CheckoutSession, hostedPagePath } from '../../shared/domain/checkout/record.ts';
import type { SessionState } from '../../shared/domain/checkout/rules.ts';
import { friendlyOrderNumber, type Order } from '../../shared/domain/order/fields.ts';
import type { PaymentGateway } from '../../shared/providers/payment-gateways/gateway.ts';
import { sandboxCards } from '../../shared/providers/payment-gateways/sandbox.ts';
import { addressRows, cardRow, contactRows, type Input, type Inputs, inputsOf } from './fields.ts';
import { type FieldErrors, messages } from './form.ts';
import type { Brand, Page } from './frame.ts';
import { icon } from './icons.ts';
import { money } from './locale.ts';
import { summary } from './summary.ts';

/** The data that a page shows. */
export interface View {
  readonly brand: Brand;
  readonly region: Region;
  readonly session: CheckoutSession;
  readonly settings: Settings;
  readonly gateway: PaymentGateway;
  /** The order of a paid session. Undefined if it was deleted. */
  readonly order?: Order | undefined;
  /** Whether the shopper can correct the values of a payment that waits on the gateway's page. */
  readonly isCorrectable?: boolean;
  /** A submitted form with errors. The page shows it again. */
  readonly sent?: { readonly form: ReadonlyMap<string, string>; readonly errors: FieldErrors };
}

/** Returns the errors of the submitted form, or of the field value that the gateway rejected. */
const errorsOf = ({ session: { refused: rejectedField }, sent }: View): FieldErrors =>
  sent?.errors ?? new Map(rejectedField === null ? [] : [[rejectedField, messages[rejectedField]]]);

const behaviours = { approve: 'Approved', decline: 'Declined', pending: 'Pending' } as const;

const testCards = html`<details class="cards"><summary>No money is taken. Show test cards</summary>
<table><thead><tr><th scope="col">Card number</th><th scope="col">Result</th><td></td></tr></thead>
<tbody>${sandboxCards.map(
  ({ number, behaviour }) =>
    html`<tr><td>${number}</td><td>${behaviours[behaviour]}</td><td><button type="button" class="plain" data-card="${number}" aria-label="Use ${number}" hidden>Use</button></td></tr>`,
)}</tbody></table></details>`;

const testBadge = html`<span class="badge">Test mode</span>`;

const hidden = (values: Readonly<Record<string, string>>): Html[] =>
  Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);

const payForm = ({ session }: View, { contact, address, card }: Inputs, errors: FieldErrors): Html => {
  const takesCards = card.length > 0;
  return html`<form method="post" action="${hostedPagePath(session)}/pay">
${hidden({ token: session.token })}
${contact.length > 0 && html`<h2>Your details</h2>${contactRows(contact, errors)}`}
${address.length > 0 && html`<h2>Delivery address</h2>${addressRows(address, errors)}`}
${takesCards && html`<h2>Payment ${testBadge}</h2>${cardRow(card, errors)}`}
<button type="submit" class="pay" data-busy="Paying…">Pay ${money(session.total, session.currency)}</button>
${takesCards ? testCards : html`<p class="hint">You enter your payment details on the next page.</p>`}
</form>`;
};

/** Returns the error above the form, with a link to each invalid field. */
const alert = ({ sent, session }: View, inputs: readonly Input[], errors: FieldErrors): Html | false => {
  const message = sent ? 'Please correct the marked fields.' : session.declined;
  const links = inputs.filter(({ name }) => errors.has(name));
  return (
    message !== null &&
    html`<section class="alert" role="alert">${icon('alert')}<div><p>${message}</p>
${links.length > 0 && html`<ul>${links.map(({ name, label }) => html`<li><a href="#${name}">${label}</a></li>`)}</ul>`}</div></section>`
  );
};

const openPage = (view: View): Html => {
  const inputs = inputsOf({ ...view, form: view.sent?.form });
  const errors = errorsOf(view);
  const url = view.session.payment?.redirect_url;
  return html`<h1>Checkout</h1>
${summary(view, { folded: true })}
<div>${alert(view, Object.values(inputs).flat(), errors)}
${url && html`<p>You have not paid yet. <a href="${url}">Continue to payment</a>, or correct your details.</p>`}
${payForm(view, inputs, errors)}</div>`;
};

/** Whether the page shows the form. A shopper can correct only fields that the page asks for. */
const hasForm = ({ isCorrectable = false, session }: View, state: SessionState): boolean =>
  state === 'open' || (state === 'pending' && isCorrectable && session.asked.length > 0);

/** Returns a centered message about the session, and its summary. */
const message = (
  view: View,
  {
    mark,
    tone,
    heading,
    body,
  }: { readonly mark: Html; readonly tone: 'good' | 'bad' | 'wait'; readonly heading: string; readonly body: Html },
  extra?: Html | false,
): Html => html`<section class="state" role="status"><span class="mark ${tone}">${mark}</span><h1>${heading}</h1>
${body}</section>
${extra}${summary(view)}`;

const again = ({ session }: View): Html => html`<a class="button" href="${hostedPagePath(session)}">Check again</a>`;
const back = ({ session }: View): Html => html`<a class="button" href="${session.cancel_url}">Back to the shop</a>`;

/**
 * Returns buttons that simulate the bank's decision for a sandbox payment. A real bank would send
 * its notice itself.
 */
const bankButtons = ({ session, gateway }: View): Html | false =>
  gateway.name === 'sandbox' &&
  session.payment?.gateway === 'sandbox' &&
  html`<form method="post" action="/checkout/${session.account}/notices/sandbox">
<h2>The bank's decision ${testBadge}</h2>
${hidden({ session: session.id, token: session.token, transaction_id: session.payment.transaction_id ?? '' })}
<div class="row"><button type="submit" name="answer" value="approve" class="plain" aria-label="Approve the payment">Approve</button>
<button type="submit" name="answer" value="decline" class="plain" aria-label="Decline the payment">Decline</button></div>
</form>`;

const pendingPage = (view: View): Html => {
  if (hasForm(view, 'pending')) return openPage(view);
  const url = view.session.payment?.redirect_url;
  if (url)
    return message(view, {
      mark: icon('lock'),
      tone: 'wait',
      heading: 'Checkout',
      body: html`<p>You pay on the next page.</p><a class="button" href="${url}">Continue to payment</a>`,
    });
  const explanation = html`<p>Your bank has not decided yet. You will not be charged twice. You may close this page: the shop receives your order when the bank approves.</p>${again(view)}`;
  return message(
    view,
    { mark: icon('clock'), tone: 'wait', heading: 'Your payment is being checked', body: explanation },
    bankButtons(view),
  );
};

const interruptedPage = (view: View): Html =>
  message(view, {
    mark: icon('alert'),
    tone: 'wait',
    heading: 'Your payment was interrupted',
    body: html`<p>We do not know its result yet. Finishing it does not charge you twice.</p>
<form method="post" action="${hostedPagePath(view.session)}/pay">${hidden({ token: view.session.token })}
<button type="submit" data-busy="Asking…">Finish the payment</button></form>`,
  });

/** Returns the receipt. The shop writes to the shopper itself, because the service sends no email. */
const paidPage = (view: View): Html => {
  const { session, order } = view;
  const amount = money(session.total, session.currency);
  return message(view, {
    mark: icon('check'),
    tone: 'good',
    heading: 'Thank you for your order',
    body: html`<p>Your payment of ${amount} has arrived.</p>
${
  order &&
  html`<dl><div><dt>Order number</dt><dd>${friendlyOrderNumber(order)}</dd></div>
${order.customer_email && html`<div><dt>Confirmation to</dt><dd>${order.customer_email}</dd></div>`}</dl>`
}
<a class="button" href="${session.success_url}">Continue to the shop</a>`,
  });
};

/** Returns the page of a session that can no longer be paid. */
const closedPage = (view: View, heading: string, why: string): Html =>
  message(view, { mark: icon('alert'), tone: 'bad', heading, body: html`<p>${why} Please start again in the shop.</p>${back(view)}` });

const pages: Readonly<Record<SessionState, { readonly title: string; readonly refreshSeconds?: number; main(view: View): Html }>> = {
  open: { title: 'Checkout', main: openPage },
  pending: { title: 'Payment pending', main: pendingPage },
  interrupted: { title: 'Payment interrupted', main: interruptedPage },
  processing: {
    title: 'Payment in progress',
    refreshSeconds: 3,
    main: (view) => {
      const body = html`<p>This takes a few seconds.</p>${again(view)}`;
      return message(view, { mark: icon('clock'), tone: 'wait', heading: 'Your payment is in progress', body });
    },
  },
  paid: { title: 'Thank you', main: paidPage },
  expired: {
    title: 'Checkout expired',
    main: (view) => closedPage(view, 'This checkout has expired', 'Nothing was charged.'),
  },
  exhausted: {
    title: 'Checkout closed',
    main: (view) => closedPage(view, 'This checkout is closed', 'Too many payments were declined.'),
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
    hasColumns: hasForm(view, state),
    formsLeadTo: session.success_url,
    ...(sent ? { status: 422 } : {}),
  };
};
