import { type Html, html, joinHtml } from '../../shared/core/html.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import { declines } from '../../shared/domain/checkout/declines.ts';
import { type CheckoutSession, hostedPagePath } from '../../shared/domain/checkout/record.ts';
import type { SessionState } from '../../shared/domain/checkout/rules.ts';
import { friendlyOrderNumber, type Order } from '../../shared/domain/order/fields.ts';
import type { Payment } from '../../shared/domain/payment/fields.ts';
import type { PaymentGateway } from '../../shared/providers/payment-gateways/gateway.ts';
import { sandboxCards } from '../../shared/providers/payment-gateways/sandbox.ts';
import { addressRows, cardRow, contactRows, type FieldView, type FieldViews, fieldViewsOf } from './fields.ts';
import type { FieldErrors } from './form.ts';
import type { Brand, Page } from './frame.ts';
import { icon } from './icons.ts';
import { dayText, type Locale, money } from './locale.ts';
import { summary } from './summary.ts';
import type { Texts } from './texts/en.ts';

/** What the receipt shows of the order. */
export interface Receipt {
  readonly order: Order;
  /** The card that paid; null if the shopper paid in another way. */
  readonly card: Payment['method_details'];
}

/** The data that a page shows. */
export interface View {
  readonly brand: Brand;
  readonly account: Account;
  readonly locale: Locale;
  readonly session: CheckoutSession;
  readonly settings: Settings;
  readonly gateway: PaymentGateway;
  /** The receipt of a paid session. Undefined if its order was deleted. */
  readonly receipt?: Receipt | undefined;
  /** Whether the shopper can correct the values of a payment that waits on the gateway's page. */
  readonly isCorrectable?: boolean;
  /** A submitted form with errors. The page shows it again. */
  readonly sent?: { readonly form: ReadonlyMap<string, string>; readonly errors: FieldErrors };
}

/** Returns the errors of the submitted form, or of the field value that the gateway rejected. */
const errorsOf = ({ session: { refused: rejectedField }, sent, locale: { texts } }: View): FieldErrors =>
  sent?.errors ?? new Map(rejectedField === null ? [] : [[rejectedField, texts.fields[rejectedField][1]]]);

/** Returns the list of test cards. It starts open if the shopper entered another card. */
const testCards = (
  { cards }: Texts,
  isOpen: boolean,
): Html => html`<details class="cards"${isOpen && html` open`}><summary>${cards.show}</summary>
<ul class="cart">${sandboxCards.map(
  ({ number, behaviour }) =>
    html`<li><span class="number">${number}<br><small>${cards[behaviour]}</small></span><button type="button" class="plain" data-card="${number}" aria-label="${cards.useCard(number)}" hidden>${cards.use}</button></li>`,
)}</ul></details>`;

const testBadge = ({ testMode }: Texts): Html => html`<span class="badge">${testMode}</span>`;

const hiddenInputs = (values: Readonly<Record<string, string>>): Html[] =>
  Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);

const detail = (name: string, value: Html | string): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

/** A long address breaks before its domain, a dot or an underscore, not inside a word. The last dot never begins a line. */
const emailText = (email: string): Html => joinHtml(email.split(/(?=[@_]|\.\S*[.@])/), '<wbr>');

const payForm = ({ session, locale }: View, { contact, address, card }: FieldViews, errors: FieldErrors): Html => {
  const { texts } = locale;
  const takesCards = card.length > 0;
  const known = session.asked.includes('email') ? null : session.customer?.email;
  return html`<form method="post" action="${hostedPagePath(session)}/pay" data-error="${texts.error('')}">
${hiddenInputs({ token: session.token })}
${(contact.length > 0 || known) && html`<h2>${texts.details}</h2>`}
${known && html`<p class="known">${texts.fields.email[0]} <b>${emailText(known)}</b></p>`}
${contact.length > 0 && contactRows(contact, errors, locale)}
${address.length > 0 && html`<h2>${texts.deliveryAddress}</h2>${addressRows(address, errors, locale)}`}
${takesCards && html`<h2>${texts.payment} ${testBadge(texts)}</h2>${cardRow(card, errors, locale)}`}
<button type="submit" data-busy="${texts.paying}">${icon('lock')}${texts.pay(money(locale, session.total, session.currency))}</button>
${takesCards ? testCards(texts, errors.has('card_number')) : html`<p class="hint">${texts.payNext}</p>`}
</form>`;
};

/** Returns the reason of a declined payment in the shopper's language; an unknown one as it is stored. */
const declineText = ({ session: { declined }, locale: { texts } }: View): string | null => {
  const known = (Object.keys(declines) as (keyof typeof declines)[]).find((name) => declines[name] === declined);
  return known === undefined ? declined : texts.declines[known];
};

/** Whether the page shows an error above its form. */
const hasError = ({ sent, session }: View): boolean => sent !== undefined || session.declined !== null;

/** Returns the error above the form, with a link to each invalid field. It has the focus, so that a screen reader reads it. */
const alert = (view: View, inputs: readonly FieldView[], errors: FieldErrors): Html | false => {
  const message = view.sent ? view.locale.texts.correctFields : declineText(view);
  const links = inputs.filter(({ name }) => errors.has(name));
  return (
    hasError(view) &&
    html`<section class="alert" role="alert" tabindex="-1" autofocus>${icon('alert')}<div><p>${message}</p>
${links.length > 0 && html`<ul>${links.map(({ name, label }) => html`<li><a href="#${name}">${label}</a></li>`)}</ul>`}</div></section>`
  );
};

const openPage = (view: View): Html => {
  const { texts } = view.locale;
  const inputs = fieldViewsOf({ ...view, region: view.account.region, form: view.sent?.form });
  const errors = errorsOf(view);
  const url = view.session.payment?.redirect_url;
  return html`<h1>${texts.checkout}</h1>
${summary(view, { folded: true })}
<div>${alert(view, Object.values(inputs).flat(), errors)}
${url && html`<p>${texts.notPaid} <a href="${url}">${texts.toPayment}</a></p>`}
${payForm(view, inputs, errors)}</div>`;
};

/** Whether the page shows the form. A shopper can correct only fields that the page asks for. */
const hasForm = ({ isCorrectable = false, session }: View, state: SessionState): boolean =>
  state === 'open' || (state === 'pending' && isCorrectable && session.asked.length > 0);

/** Returns a centered message about the session, and its summary. A screen reader begins at the message. */
const message = (
  view: View,
  {
    mark,
    tone,
    heading,
    body,
  }: { readonly mark: Html; readonly tone: 'good' | 'bad' | 'wait'; readonly heading: string; readonly body: Html },
  extra?: Html | false,
  end?: Html,
): Html => html`<div><section class="state" role="status"><span class="mark ${tone}">${mark}</span><h1 tabindex="-1" autofocus>${heading}</h1>
${body}</section>${extra}</div>
${summary(view, end ? { end } : {})}`;

/** Returns the path that shows the result of a payment. While the gateway takes the payment, it asks the gateway. */
const resultPath = ({ session }: View, state: SessionState): string =>
  hostedPagePath(session) + (state === 'processing' && session.status === 'pending' ? '/return' : '');

/** Returns after how many seconds the page looks for the result of a payment. Undefined if none is expected. */
const secondsOf = (view: View, state: SessionState): number | undefined => {
  if (state === 'processing') return 3;
  return state === 'pending' && !hasForm(view, state) && !view.session.payment?.redirect_url ? 15 : undefined;
};

/** Returns the link to the result of a payment. The page's program waits for a result there. */
const checkAgainLink = (view: View, state: SessionState): Html =>
  html`<a class="button" href="${resultPath(view, state)}" data-wait="${secondsOf(view, state)}">${view.locale.texts.pending.check}</a>`;

/**
 * Returns buttons that simulate the bank's decision for a sandbox payment. A real bank would send
 * its notice itself.
 */
const bankButtons = ({ session, gateway, locale: { texts } }: View): Html | false =>
  gateway.name === 'sandbox' &&
  session.payment?.gateway === 'sandbox' &&
  html`<form method="post" action="/checkout/${session.account}/notices/sandbox">
<h2>${texts.bank.heading} ${testBadge(texts)}</h2>
${hiddenInputs({ session: session.id, token: session.token, transaction_id: session.payment.transaction_id ?? '' })}
<div class="row"><button type="submit" name="answer" value="approve" class="plain" aria-label="${texts.bank.approvePayment}">${texts.bank.approve}</button>
<button type="submit" name="answer" value="decline" class="plain" aria-label="${texts.bank.declinePayment}">${texts.bank.decline}</button></div>
</form>`;

const pendingPage = (view: View): Html => {
  if (hasForm(view, 'pending')) return openPage(view);
  const { checkout, toPayment, pending } = view.locale.texts;
  const url = view.session.payment?.redirect_url;
  if (url)
    return message(view, {
      mark: icon('lock'),
      tone: 'wait',
      heading: checkout,
      body: html`<p>${pending.payNext}</p><a class="button" href="${url}">${toPayment}</a>`,
    });
  const explanation = html`<p>${pending.body}</p>${checkAgainLink(view, 'pending')}`;
  return message(view, { mark: icon('clock'), tone: 'wait', heading: pending.heading, body: explanation }, bankButtons(view));
};

const interruptedPage = (view: View): Html => {
  const { heading, body, finish, finishing } = view.locale.texts.interrupted;
  return message(view, {
    mark: icon('alert'),
    tone: 'wait',
    heading,
    body: html`<p>${body}</p>
<form method="post" action="${hostedPagePath(view.session)}/pay">${hiddenInputs({ token: view.session.token })}
<button type="submit" data-busy="${finishing}">${finish}</button></form>`,
  });
};

const processingPage = (view: View): Html => {
  const { heading, body } = view.locale.texts.processing;
  return message(view, {
    mark: icon('clock'),
    tone: 'wait',
    heading,
    body: html`<p>${body}</p>${checkAgainLink(view, 'processing')}`,
  });
};

const brands: Readonly<Record<string, string>> = { amex: 'American Express', jcb: 'JCB', unionpay: 'UnionPay' };

const cardText = ({ brand, last4 }: NonNullable<Receipt['card']>): Html => {
  const name = brand ?? '';
  return html`${brands[name] ?? name.charAt(0).toUpperCase() + name.slice(1)}<span aria-hidden="true"> ••••</span> ${last4}`;
};

const receiptRows = ({ order, card }: Receipt, { account, locale }: View): Html => {
  const { paid } = locale.texts;
  return html`<dl>${detail(paid.orderNumber, friendlyOrderNumber(order))}
${detail(paid.date, dayText(locale, order.created_at, account.timezone))}
${card?.last4 && detail(paid.card, cardText(card))}
${order.customer_email && detail(paid.email, emailText(order.customer_email))}</dl>`;
};

/** Returns the receipt. The shop writes to the shopper itself, because the service sends no email. */
const paidPage = (view: View): Html => {
  const { session, receipt, locale, brand } = view;
  const { paid } = locale.texts;
  const { origin, host } = new URL(session.success_url);
  return message(
    view,
    {
      mark: icon('check'),
      tone: 'good',
      heading: paid.heading,
      body: html`<p>${paid.body(money(locale, session.total, session.currency))}</p>
${receipt && receiptRows(receipt, view)}
<a class="button" href="${session.success_url}">${paid.next}</a>
<button type="button" class="plain" data-print hidden>${paid.print}</button>`,
    },
    false,
    html`<section class="break">${paid.questions(brand.name)} <a href="${origin}">${host}</a></section>`,
  );
};

/** Returns the page of a session that can no longer be paid. */
const closedPage =
  (state: 'expired' | 'exhausted') =>
  (view: View): Html => {
    const { texts } = view.locale;
    const { heading, body } = texts[state];
    const back = html`<a class="button" href="${view.session.cancel_url}">${texts.backToShop}</a>`;
    return message(view, { mark: icon('alert'), tone: 'bad', heading, body: html`<p>${body}</p>${back}` });
  };

const pages: Readonly<Record<SessionState, (view: View) => Html>> = {
  open: openPage,
  pending: pendingPage,
  interrupted: interruptedPage,
  processing: processingPage,
  paid: paidPage,
  expired: closedPage('expired'),
  exhausted: closedPage('exhausted'),
};

/** Returns the title. It begins with the error if the page shows one. */
const titleOf = (view: View, state: SessionState): string => {
  const { texts } = view.locale;
  const isUnpaid = state === 'open' || (state === 'pending' && view.session.payment?.redirect_url);
  const title = isUnpaid ? texts.checkout : texts[state].title;
  return state === 'expired' || state === 'exhausted' || (hasForm(view, state) && hasError(view)) ? texts.error(title) : title;
};

/** Returns the page of a session in the given state. */
export const sessionPage = (view: View, state: SessionState): Page => {
  const { session, brand, sent } = view;
  const seconds = secondsOf(view, state);
  return {
    title: titleOf(view, state),
    // With its URL, because a response to a form has none that a browser can reload.
    ...(seconds === undefined ? {} : { refresh: `${seconds}; url=${resultPath(view, state)}` }),
    brand,
    // After the payment, the page does not link back to the shop's cart.
    ...(state === 'paid' ? {} : { shopUrl: session.cancel_url }),
    main: pages[state](view),
    formsLeadTo: session.success_url,
    ...(sent ? { status: 422 } : {}),
  };
};
