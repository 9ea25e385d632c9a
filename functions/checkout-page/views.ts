import { type Html, html } from '../../shared/core/html.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import { hostedPagePath } from '../../shared/domain/checkout/record.ts';
import type { SessionState } from '../../shared/domain/checkout/rules.ts';
import type { PaymentGateway } from '../../shared/providers/payment-gateways/gateway.ts';
import { sandboxCards } from '../../shared/providers/payment-gateways/sandbox.ts';
import { cart, money } from './cart.ts';
import { answerOf, askedFields, type Field, type FieldErrors, messages } from './form.ts';
import type { Page } from './frame.ts';

/** Everything a page is made from. */
export interface View {
  readonly shop: string;
  readonly session: CheckoutSession;
  readonly settings: Settings;
  readonly gateway: PaymentGateway;
  /** What was sent and is wrong, where the page comes back with it. */
  readonly sent?: { readonly form: ReadonlyMap<string, string>; readonly errors: FieldErrors };
}

/** An input as it stands on the page. */
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

/** Every input in order, with what was sent, or with what the shopper said before. */
const inputsOf = ({ session, gateway, sent }: View): readonly Input[] => [
  ...askedFields(session).map((field) => ({ ...field, value: sent ? (sent.form.get(field.name) ?? '') : answerOf(session, field.name) })),
  ...(gateway.takesCards ? [{ ...cardInput, value: sent?.form.get(cardInput.name) ?? '' }] : []),
];

/** What is wrong with what was sent, or with what the gateway did not take. */
const errorsOf = ({ session: { refused }, sent }: View): FieldErrors =>
  sent?.errors ?? new Map(refused === null ? [] : [[refused, messages[refused]]]);

const field = ({ name, label, type, autocomplete, required, value }: Input, errors: FieldErrors): Html => {
  const error = errors.get(name);
  const described = error && html` aria-invalid="true" aria-describedby="${name}-error"`;
  const isRequired = required && html` required`;
  return html`<label for="${name}">${label}</label>
${
  type === 'address'
    ? html`<textarea id="${name}" name="${name}" rows="3" autocomplete="${autocomplete}"${isRequired}${described}>${value}</textarea>`
    : html`<input id="${name}" name="${name}" type="${type === 'card' ? 'text' : type}"${type === 'card' && html` inputmode="numeric"`} autocomplete="${autocomplete}" value="${value}"${isRequired}${described}>`
}
${error && html`<p class="error" id="${name}-error">${error}</p>`}`;
};

const behaviours = { approve: 'is approved', decline: 'is declined', pending: 'is decided later' } as const;

const testCards = html`<p class="hint">This shop is in test mode and takes no money. Test cards:</p>
<ul class="hint">${sandboxCards.map(({ number, behaviour }) => html`<li>${number} ${behaviours[behaviour]}</li>`)}</ul>`;

const hidden = (values: Readonly<Record<string, string>>): Html[] =>
  Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);

const payForm = (view: View): Html => {
  const { session } = view;
  const errors = errorsOf(view);
  const inputs = inputsOf(view);
  const [details, card] = [inputs.filter(({ type }) => type !== 'card'), inputs.filter(({ type }) => type === 'card')];
  return html`<form method="post" action="${hostedPagePath(session)}/pay">
${hidden({ token: session.token })}
${details.length > 0 && html`<h2>Your details</h2>${details.map((input) => field(input, errors))}`}
${card.length > 0 && html`<h2>Payment</h2>${card.map((input) => field(input, errors))}${testCards}`}
<button type="submit" data-busy="Paying…">Pay ${money(session.total, session.currency)}</button>
</form>`;
};

const back = ({ session }: View): Html => html`<p><a href="${session.cancel_url}">Back to the shop</a></p>`;

/** What went wrong, above everything, with a link to each field that it is about. */
const alert = (view: View): Html | false => {
  const { sent, session } = view;
  const message = sent ? 'Please correct what is marked below.' : session.declined;
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
${cart(view.session, view.settings)}
${payForm(view)}
${back(view)}`;

/** In the place of the bank, which would send its notice by itself. */
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
<p><a class="button" href="${url}">Continue to payment</a></p>${back(view)}`;
  return html`<h1>Your payment is being checked</h1>
<section role="status"><p>Your bank has not decided yet. You will not be charged twice: there is nothing more to do, and you may close this page.</p>${again(view)}</section>
${cart(session, settings)}
${bankButtons(view)}`;
};

const interruptedPage = (view: View): Html => html`<h1>Your payment was interrupted</h1>
<section role="status"><p>We do not know yet what became of it. Asking again does not charge you twice.</p>
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
<section role="status"><p>Your payment of ${money(view.session.total, view.session.currency)} has arrived.</p>
<a class="button" href="${view.session.success_url}">Continue to the shop</a></section>${cart(view.session, view.settings)}`,
  },
  expired: {
    title: 'Checkout expired',
    main: (view) => html`<h1>This checkout has expired</h1>
<section><p>Nothing was charged. Please start again in the shop.</p>${back(view)}</section>`,
  },
  exhausted: {
    title: 'Checkout closed',
    main: (view) => html`<h1>This checkout is closed</h1>
<section><p>Too many payments were declined. Please start again in the shop.</p>${back(view)}</section>`,
  },
};

/** The session's page as it stands. */
export const sessionPage = (view: View, state: SessionState): Page => {
  const { main, ...frame } = pages[state];
  return { ...frame, shop: view.shop, main: main(view), formsLeadTo: view.session.success_url, ...(view.sent ? { status: 422 } : {}) };
};
