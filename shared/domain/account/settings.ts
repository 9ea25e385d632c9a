import * as v from 'valibot';
import type { SecretPurpose } from '../../core/config.ts';
import { ApiError, invalidValue } from '../../core/errors.ts';
import {
  bounds,
  byType,
  calendarDate,
  finiteNumber,
  flag,
  httpsUrl,
  jsonObject,
  listOf,
  markup,
  oneOf,
  openRecord,
  partial,
  record,
} from '../../core/fields.ts';
import { maxAmount, roundMoney } from '../../core/money.ts';
import { customFieldTypes } from '../enumerations.ts';
import { anyValue, validFieldNames } from '../free-fields.ts';
import { clockTime } from '../inputs.ts';
import { isFor, isReference, isWellFormed, referencePrefix } from './secret-reference.ts';

/**
 * An account's settings as the dashboard wrote them (decisions §5). Old forms are stored unchanged:
 * slots and dates without an id, fields without a key, multipliers that are not numbers. Reading
 * them applies the fallbacks.
 */

const maxEntries = 1_000;
const maxSecret = 500;

const list = <Schema extends v.GenericSchema>(schema: Schema) => listOf(schema, maxEntries);

/** Text of the merchant: trimmed, and returned with its markup. */
const authored = (max: number = bounds.text) => markup(max);
const named = (max: number = bounds.text) => v.pipe(authored(max), v.minLength(1, 'must not be empty'));
const optionalOrNull = <Schema extends v.GenericSchema>(schema: Schema) => v.exactOptional(v.nullable(schema));

const weekday = () =>
  v.pipe(
    v.number('must be a number'),
    v.integer('must be a whole number'),
    v.minValue(0, 'must be 0 to 6'),
    v.maxValue(6, 'must be 0 to 6'),
  );
const weekdays = () => listOf(weekday(), 7);
const notNegative = () =>
  v.pipe(
    finiteNumber(),
    v.check((value) => value >= 0, 'must not be negative'),
  );
/** An absent or non-numeric multiplier counts as 1 when it is read. */
const multiplier = () => byType({ number: notNegative(), string: authored() }, 'must be a number');

/**
 * Entries of lists that old dashboards wrote too. They keep fields that the service does not know
 * (decisions §3).
 */
const legacyRecord = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.pipe(jsonObject, validFieldNames, openRecord(entries, anyValue()));

const slot = legacyRecord({
  id: optionalOrNull(authored()),
  label: optionalOrNull(authored()),
  start: optionalOrNull(clockTime()),
  end: optionalOrNull(clockTime()),
  multiplier: optionalOrNull(multiplier()),
  available_days: optionalOrNull(weekdays()),
});

const blockedDate = legacyRecord({
  id: optionalOrNull(authored()),
  date: calendarDate(),
  reason: optionalOrNull(authored()),
  is_holiday: optionalOrNull(flag()),
  holiday_name: optionalOrNull(authored()),
});

const recurringRule = legacyRecord({
  id: named(),
  /** The type of the rule. Only `weekly` has an effect. */
  type: named(),
  days_of_week: weekdays(),
  enabled: optionalOrNull(flag()),
  start_date: optionalOrNull(calendarDate()),
  end_date: optionalOrNull(calendarDate()),
  reason: optionalOrNull(authored()),
});

const customField = legacyRecord({
  id: named(),
  key: optionalOrNull(authored()),
  name: optionalOrNull(authored()),
  type: optionalOrNull(oneOf(customFieldTypes)),
  required: optionalOrNull(flag()),
  options: optionalOrNull(list(authored())),
  /** Scopes other than order, product and customer are internal to the dashboard. */
  scopes: optionalOrNull(list(authored())),
  active: optionalOrNull(flag()),
  internal: optionalOrNull(flag()),
});

const search = record({
  provider: oneOf(['typesense']),
  host: named(bounds.url),
  collection: named(),
  search_key: named(maxSecret),
  admin_key: optionalOrNull(named(maxSecret)),
});

/**
 * How the hosted page presents the shop. The page ignores an accent without enough contrast, and shows
 * the address for pickup.
 */
const branding = record({
  name: optionalOrNull(authored()),
  logo: optionalOrNull(httpsUrl()),
  accent: optionalOrNull(v.pipe(v.string('must be a string'), v.regex(/^#[0-9a-f]{6}$/i, 'must be a color, #rrggbb'))),
  address: optionalOrNull(authored()),
});

const checkout = record({
  gateway: oneOf(['sandbox', 'stripe']),
  branding: optionalOrNull(branding),
  /** Stored as written, and rounded when it is charged. */
  delivery_fee: optionalOrNull(
    v.pipe(
      notNegative(),
      v.check((fee) => roundMoney(fee) < maxAmount, `must be smaller than ${maxAmount}`),
    ),
  ),
  secret_key: optionalOrNull(named(maxSecret)),
  webhook_secret: optionalOrNull(named(maxSecret)),
});

const documentFields = {
  payment_methods: list(record({ id: named(), name: named(), enabled: flag() })),
  event_categories: list(record({ name: named(), colour: optionalOrNull(authored()) })),
  time_slots: record({ pickup: v.exactOptional(list(slot)), delivery: v.exactOptional(list(slot)) }),
  blocked_dates: list(blockedDate),
  recurring_rules: list(recurringRule),
  custom_fields: list(customField),
  /** Without it, the account has no search tokens. */
  search,
  /** Without it, the account uses the sandbox gateway. */
  checkout,
};

const nullableOf = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  Object.fromEntries(Object.entries(entries).map(([name, schema]) => [name, v.nullable(schema as v.GenericSchema)])) as {
    readonly [Name in keyof Entries]: v.NullableSchema<Entries[Name], undefined>;
  };

/** The whole document. Null for `search` or `checkout` says that the account has none. */
export const settingsSchema = record(partial({ ...documentFields, search: v.nullable(search), checkout: v.nullable(checkout) }));

/** Changes of the document by its top-level fields. Null removes a field. */
export const settingsChanges = record(partial(nullableOf(documentFields)));

export type Settings = v.InferOutput<typeof settingsSchema>;
export type SettingsChanges = v.InferOutput<typeof settingsChanges>;

/** The document is stored in one item of the table. An item has at most 400 KB. */
const maxSettingsBytes = 256 * 1024;

export const assertFits = (settings: Settings): void => {
  const bytes = Buffer.byteLength(JSON.stringify(settings));
  if (bytes > maxSettingsBytes)
    throw new ApiError('invalid_value', `The settings are ${bytes} bytes of JSON; the limit is ${maxSettingsBytes}.`);
};

const secretName = /key|secret|token|password/i;
const shownCharacters = 4;

/**
 * Returns `****` and the secret's last characters, by which people compare keys. A short secret
 * shows none.
 */
const mask = (secret: string): string => {
  const characters = [...secret];
  return `****${characters.length > 2 * shownCharacters ? characters.slice(-shownCharacters).join('') : ''}`;
};

type Block = Readonly<Record<string, unknown>>;
/** The blocks with secrets, and the fields that decide where each secret is sent. */
const destinationFields = { search: ['provider', 'host'], checkout: ['gateway'] } as const;
const secretBlocks = ['search', 'checkout'] as const;
/** Purpose of a block's secrets, which is the first part of their references. */
const purposes = { search: 'search', checkout: 'stripe' } as const satisfies Record<(typeof secretBlocks)[number], SecretPurpose>;

const mapSecrets = <Sent extends Settings | SettingsChanges>(
  settings: Sent,
  change: (secret: string, block: (typeof secretBlocks)[number], name: string) => string,
): Sent => {
  const mapBlock = (block: (typeof secretBlocks)[number]): Block | null | undefined =>
    settings[block] &&
    Object.fromEntries(
      Object.entries(settings[block] as Block).map(([name, value]) => [
        name,
        typeof value === 'string' && secretName.test(name) ? change(value, block, name) : value,
      ]),
    );
  return {
    ...settings,
    ...Object.fromEntries(secretBlocks.filter((block) => block in settings).map((block) => [block, mapBlock(block)])),
  };
};

/** Returns the settings with search keys and gateway secrets masked. References are not masked. */
export const maskSecrets = (settings: Settings): Settings => mapSecrets(settings, (value) => (isWellFormed(value) ? value : mask(value)));

/** Returns the settings of a test account: without search and secrets, and with the sandbox as gateway. */
export const withoutSecrets = ({ search: _, checkout, ...settings }: Settings): Settings => {
  const { secret_key: __, webhook_secret: ___, ...shown } = checkout ?? { gateway: 'sandbox' };
  return { ...settings, checkout: { ...shown, gateway: 'sandbox' } };
};

/** Returns the document after a change of top-level fields. Null removes a field. */
export const changeSettings = (stored: Settings, sent: SettingsChanges): Settings =>
  Object.fromEntries(Object.entries({ ...stored, ...sent }).filter(([name]) => sent[name as keyof SettingsChanges] !== null));

/**
 * Replaces each mask by the stored secret, so that settings can be read, edited and written back.
 * Rejects a mask without a stored secret, and a reference that is malformed or names another
 * purpose. Also rejects a mask if the secret would be sent to another place than before. A caller
 * who cannot read a secret must not redirect it.
 */
export const restoreSecrets = <Sent extends Settings | SettingsChanges>(settings: Sent, stored: Settings): Sent =>
  mapSecrets(settings, (value, block, name) => {
    const purpose = purposes[block];
    if (isReference(value) && !isFor(purpose, value)) {
      const form = `${referencePrefix}${purpose}/ and one to four parts of letters, digits, ".", "-" or "_", no part of dots alone, for example ${referencePrefix}${purpose}/${name}`;
      throw invalidValue(`${block}.${name}`, `${block}.${name} must be a secret, or a reference to one: ${form}.`);
    }
    if (!value.startsWith('****')) return value;
    const before = (stored[block] ?? {}) as Block;
    const secret = before[name];
    if (typeof secret !== 'string' || mask(secret) !== value)
      throw invalidValue(`${block}.${name}`, `${block}.${name} is a mask that matches no stored secret. Send the secret itself.`);
    const moved = destinationFields[block].find((field) => before[field] !== (settings[block] as Block)[field]);
    if (moved !== undefined)
      throw invalidValue(`${block}.${name}`, `${block}.${name} must be the secret itself, because ${block}.${moved} changed.`);
    return secret;
  });
