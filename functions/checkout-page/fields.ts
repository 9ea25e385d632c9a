import { type Html, html } from '../../shared/core/html.ts';
import type { ContactFieldName } from '../../shared/domain/checkout/record.ts';
import { addressParts, enteredAddress, isWholeAddress, type OptionGroups } from './address.ts';
import { type FieldErrors, requestedFields, type Submission } from './form.ts';
import { icon } from './icons.ts';
import type { Locale } from './locale.ts';

/** A field of the form. */
export interface FieldView {
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'email' | 'tel' | 'address' | 'card';
  readonly autocomplete: string;
  readonly required: boolean;
  readonly value: string;
  /** Text that the browser shows if the field is empty or invalid. */
  readonly error: string;
  readonly placeholder?: string;
  readonly groups?: OptionGroups;
}

/** A form to show. `form` is undefined before the shopper has submitted it. */
type FormView = Omit<Submission, 'form'> & { readonly form: Submission['form'] | undefined };

/** The fields of the form by heading. */
export interface FieldViews {
  readonly contact: readonly FieldView[];
  readonly address: readonly FieldView[];
  readonly card: readonly FieldView[];
}

/** Returns the inputs. Their values come from the submitted form, or else from the session. */
export const fieldViewsOf = ({ session, gateway, region, form, locale: { texts } }: FormView): FieldViews => {
  const address = form ?? enteredAddress(session);
  const contactOf = (name: ContactFieldName) => (form ? form.get(name) : session.customer?.[name]);
  const fields = requestedFields(session).map(({ schema: _, ...field }): FieldView => {
    const { name } = field;
    const placeholder = name === 'email' || name === 'delivery_address' ? texts.placeholders[name] : undefined;
    const [label, error] = texts.fields[name];
    const value = name === 'delivery_address' ? address?.get(name) : contactOf(name);
    return { ...field, label, error, value: value ?? '', ...(placeholder === undefined ? {} : { placeholder }) };
  });
  const street = fields.filter(({ type }) => type === 'address');
  const parts = addressParts(region).map(({ text, ...part }): FieldView => {
    const [label, error] = texts.parts[text];
    return { ...part, label, error, type: 'text', required: true, value: address?.get(part.name) ?? '' };
  });
  const hasParts = street.length > 0 && !(address && isWholeAddress(region, address));
  const card: FieldView = {
    name: 'card_number',
    label: texts.fields.card_number[0],
    type: 'card',
    autocomplete: 'cc-number',
    required: true,
    value: form?.get('card_number') ?? '',
    error: texts.fields.card_number[1],
    placeholder: '1234 1234 1234 1234',
  };
  return {
    contact: fields.filter((field) => !street.includes(field)),
    address: hasParts ? [...street, ...parts] : street.map((field) => ({ ...field, label: texts.wholeAddress })),
    card: gateway.takesCards ? [card] : [],
  };
};

const control = (
  { name, type, autocomplete, required, value, error, placeholder, groups }: FieldView,
  message: string | undefined,
  { texts, tag }: Locale,
): Html => {
  // A name or an address may be in a script that is written from the right.
  const direction = type === 'text' || type === 'address' ? html` dir="auto"` : '';
  const attributes = html`id="${name}" name="${name}"${direction}`;
  const state = html` autocomplete="${autocomplete}" data-error="${error}"${placeholder && html` placeholder="${placeholder}"`}${required && html` required`}${message && html` aria-invalid="true" aria-describedby="${name}-error"`}`;
  if (type === 'address') return html`<textarea ${attributes} rows="${value.split('\n').length}"${state}>${value}</textarea>`;
  if (groups)
    return html`<select ${attributes}${state}><option value="">${texts.choose}</option>${groups.map(([land, options]) => {
      const list = options.map(([key, label]) => html`<option value="${key}"${key === value && html` selected`}>${label}</option>`);
      return land ? html`<optgroup label="${new Intl.DisplayNames(tag, { type: 'region' }).of(land)}">${list}</optgroup>` : list;
    })}</select>`;
  if (type !== 'card') return html`<input ${attributes} type="${type}" value="${value}"${state}>`;
  return html`<span class="inside"><input ${attributes} type="text" inputmode="numeric" value="${value}"${state}>${icon('card')}</span>`;
};

const field = (input: FieldView, errors: FieldErrors, locale: Locale, className = ''): Html => {
  const { name, label, required } = input;
  const message = errors.get(name);
  return html`<div class="field ${className}"><label for="${name}">${label}${!required && html` <small>${locale.texts.optional}</small>`}</label>
${control(input, message, locale)}
${message && html`<p class="error" id="${name}-error">${message}</p>`}</div>`;
};

export const contactRows = (inputs: readonly FieldView[], errors: FieldErrors, locale: Locale): Html =>
  html`<div class="row contact">${inputs.map((input) => field(input, errors, locale))}</div>`;

export const addressRows = ([street, ...parts]: readonly FieldView[], errors: FieldErrors, locale: Locale): Html => {
  const country = parts.find(({ name }) => name === 'address_country');
  const row = parts.filter((part) => part !== country);
  return html`${street && field(street, errors, locale)}
${row.length > 0 && html`<div class="row place${row.length === 2 && ' two'}">${row.map((input) => field(input, errors, locale, input.name === 'address_city' && row.length > 2 ? 'city' : ''))}</div>`}
${country && field(country, errors, locale)}`;
};

export const cardRow = ([card]: readonly FieldView[], errors: FieldErrors, locale: Locale): Html | undefined =>
  card && field(card, errors, locale);
