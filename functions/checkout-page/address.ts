import type { Region } from '../../shared/core/config.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import type { Address } from '../../shared/domain/free-fields.ts';
import type { Texts } from './texts/en.ts';

/** Values and labels to choose from, by the code of their country; without a code, they have no heading. */
export type OptionGroups = readonly (readonly [country: string, options: readonly (readonly [value: string, label: string])[]])[];

/** A field of the form for a part of the address after its street. */
export interface AddressPart {
  readonly name: 'address_city' | 'address_state' | 'address_postcode' | 'address_country';
  /** Its label and error in the page's texts. */
  readonly text: keyof Texts['parts'];
  readonly autocomplete: string;
  /** Text between this part and the part before it in the address. */
  readonly before: string;
  readonly groups?: OptionGroups;
}

const optionsOf = (text: string) =>
  text.split('|').map((entry): [string, string] => [entry.slice(0, entry.indexOf(' ')), entry.slice(entry.indexOf(' ') + 1)]);

/** The region `us` is the United States and Canada. */
const statesAndProvinces: OptionGroups = [
  [
    'US',
    optionsOf(
      'AL Alabama|AK Alaska|AS American Samoa|AZ Arizona|AR Arkansas|AA Armed Forces Americas|AE Armed Forces Europe|AP Armed Forces Pacific|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia|FL Florida|GA Georgia|GU Guam|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|MP Northern Mariana Islands|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|PR Puerto Rico|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|VI US Virgin Islands|UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming',
    ),
  ],
  [
    'CA',
    optionsOf(
      'AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|NT Northwest Territories|NS Nova Scotia|NU Nunavut|ON Ontario|PE Prince Edward Island|QC Quebec|SK Saskatchewan|YT Yukon',
    ),
  ],
];
const auStates: OptionGroups = [
  ['', ['ACT', 'NSW', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA'].map((state): [string, string] => [state, state])],
];

const city = { name: 'address_city', text: 'city', autocomplete: 'address-level2', before: ' ' } as const;
const state = { name: 'address_state', text: 'state', autocomplete: 'address-level1', before: ' ' } as const;
const postcode = { name: 'address_postcode', text: 'postcode', autocomplete: 'postal-code', before: ' ' } as const;

/** Written in full, because the region has many countries. */
const country = { name: 'address_country', text: 'country', autocomplete: 'country-name', before: '\n' } as const;

/** The parts of an address after its street, in the order of each region. */
const parts: Readonly<Record<Region, readonly AddressPart[]>> = {
  us: [city, { ...state, text: 'province', before: ', ', groups: statesAndProvinces }, { ...postcode, text: 'zip' }],
  au: [{ ...city, text: 'suburb' }, { ...state, groups: auStates }, postcode],
  eu: [postcode, { ...city, text: 'town' }, country],
};

export const addressParts = (region: Region): readonly AddressPart[] => parts[region];

/** Whether the form has the whole address in `delivery_address`, and nothing in the fields for its parts. */
export const isWholeAddress = (region: Region, form: ReadonlyMap<string, string>): boolean =>
  Boolean(form.get('delivery_address')?.trim()) && !addressParts(region).some(({ name }) => form.get(name)?.trim());

/** Returns an address of parts as one text: the street, and then the other parts. */
export const joinAddress = (region: Region, address: Exclude<Address, string>): string =>
  addressParts(region).reduce(
    (text, { name, before }, i) => text + (address[name] ? (i > 0 ? before : '\n') + address[name].replace(/\s+/g, ' ') : ''),
    address['delivery_address'] ?? '',
  );

type Addressed = Pick<CheckoutSession, 'asked' | 'delivery_address'>;

/**
 * Returns the address fields that the shopper entered. An unpaid session keeps them apart, because
 * one text does not tell where each begins. Undefined if the shopper has entered no address.
 */
export const enteredAddress = ({ asked: requestedNames, delivery_address }: Addressed): ReadonlyMap<string, string> | undefined => {
  if (!requestedNames.includes('delivery_address') || delivery_address === null) return undefined;
  const fields = typeof delivery_address === 'string' ? { delivery_address } : delivery_address;
  return new Map(Object.entries(fields).map(([name, text]) => [name, text ?? '']));
};

/** Returns the address as the order gets it: what the shop sent, or what the shopper entered as one text. */
export const orderAddress = (region: Region, { asked: requestedNames, delivery_address: address }: Addressed): Address | null =>
  requestedNames.includes('delivery_address') && typeof address === 'object' && address ? joinAddress(region, address) : address;
