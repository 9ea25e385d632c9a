import type { Settings } from './settings.ts';

/** Scopes of custom fields that the API knows; all others are internal to the dashboard. */
export const customFieldScopes = ['order', 'product', 'customer'] as const;
export type CustomFieldScope = (typeof customFieldScopes)[number];

const isExternal = (scope: string): scope is CustomFieldScope => (customFieldScopes as readonly string[]).includes(scope);

/** What the dashboard starts with (decisions §5). */
const defaultEventCategories = ['Wedding', 'Birthday', 'Anniversary', 'Baby shower', 'Corporate', 'Holiday', 'Other'];

export const paymentMethodsOf = (settings: Settings): readonly { id: string; name: string }[] =>
  (settings.payment_methods ?? []).filter(({ enabled }) => enabled).map(({ id, name }) => ({ id, name }));

export const eventCategoriesOf = (settings: Settings): readonly { name: string }[] => {
  const configured = settings.event_categories ?? [];
  return configured.length > 0 ? configured.map(({ name }) => ({ name })) : defaultEventCategories.map((name) => ({ name }));
};

export interface CustomField {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly options: readonly string[];
  readonly scopes: readonly CustomFieldScope[];
  readonly internal: boolean;
}

/** Active definitions with the fallbacks of § Reference data, Custom fields. */
export const customFieldsOf = (settings: Settings): readonly CustomField[] =>
  (settings.custom_fields ?? [])
    .filter(({ active }) => active !== false)
    .map(({ id, key, name, type, required, options, scopes, internal }) => ({
      id,
      key: key || id,
      name: name ?? '',
      type: type ?? 'text',
      required: required === true,
      options: options ?? [],
      scopes: (scopes ?? []).filter(isExternal),
      internal: internal === true,
    }));

/** Keys that a record of this scope may carry values for; shoppers know nothing of internal ones, nor of a key that one of those has too. */
export const customFieldKeys = (settings: Settings, scope: CustomFieldScope, merchant = true): ReadonlySet<string> => {
  const fields = customFieldsOf(settings);
  const hidden = new Set(fields.flatMap(({ internal, key }) => (internal && !merchant ? [key] : [])));
  return new Set(fields.flatMap(({ scopes, key }) => (scopes.includes(scope) && !hidden.has(key) ? [key] : [])));
};

/**
 * The values of a product that a shopper may see: those that an active definition on products, not internal, stands for
 * (decisions §5). What no definition stands for is the merchant's, and so is a key that a second, internal definition shares.
 */
export const publicFieldValues = (values: Readonly<Record<string, unknown>>, settings: Settings): Readonly<Record<string, unknown>> => {
  const shown = customFieldKeys(settings, 'product', false);
  return Object.fromEntries(Object.entries(values).filter(([key]) => shown.has(key)));
};
