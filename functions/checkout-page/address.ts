import type { Region } from '../../shared/core/config.ts';

/** A field of the form for a part of the address after its street. */
export interface AddressPart {
  readonly name: 'address_city' | 'address_state' | 'address_postcode';
  readonly label: string;
  readonly autocomplete: string;
  /** Text between this part and the part before it in the address. */
  readonly before: string;
  readonly error: string;
  /** Values and labels to choose from. */
  readonly options?: readonly (readonly [value: string, label: string])[];
}

interface AddressForm {
  readonly parts: readonly AddressPart[];
  /** Matches the last line of an address, with one group for each part. */
  readonly lastLine: RegExp;
}

const optionsOf = (text: string) =>
  text.split('|').map((entry): [string, string] => [entry.slice(0, entry.indexOf(' ')), entry.slice(entry.indexOf(' ') + 1)]);

const usStates = optionsOf(
  'AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|PR Puerto Rico|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming',
);
const auStates = ['ACT', 'NSW', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA'].map((state): [string, string] => [state, state]);

const city = { name: 'address_city', label: 'City', autocomplete: 'address-level2', before: ' ', error: 'Enter the city.' } as const;
const state = { name: 'address_state', label: 'State', autocomplete: 'address-level1', before: ' ', error: 'Choose a state.' } as const;
const postcode = {
  name: 'address_postcode',
  label: 'Postcode',
  autocomplete: 'postal-code',
  before: ' ',
  error: 'Enter the postcode.',
} as const;

/** The parts of an address after its street, in the order of each region. */
const forms: Readonly<Record<Region, AddressForm>> = {
  us: {
    parts: [city, { ...state, before: ', ', options: usStates }, { ...postcode, label: 'ZIP code', error: 'Enter the ZIP code.' }],
    lastLine: /^(.+), ([A-Z]{2}) (\S+)$/,
  },
  au: {
    parts: [{ ...city, label: 'Suburb', error: 'Enter the suburb.' }, { ...state, options: auStates }, postcode],
    lastLine: /^(.+) (ACT|NSW|NT|QLD|SA|TAS|VIC|WA) (\S+)$/,
  },
  eu: {
    parts: [postcode, { ...city, label: 'Town or city', error: 'Enter the town or city.' }],
    lastLine: /^(\S*\d\S*(?: \d\S*| [A-Z]{2})?) (.+)$/,
  },
};

export const addressParts = (region: Region): readonly AddressPart[] => forms[region].parts;

/**
 * Returns the address of a form as one text: the street, and a last line with the other parts. The
 * browser requires every part. The server requires only `delivery_address`, because a form may send
 * the whole address in it.
 */
export const joinAddress = (region: Region, form: ReadonlyMap<string, string>): string => {
  const street = (form.get('delivery_address') ?? '').trim();
  const last = addressParts(region).reduce((line, { name, before }) => {
    const part = (form.get(name) ?? '').trim().replace(/\s+/g, ' ');
    return line && part ? line + before + part : line || part;
  }, '');
  return street && last ? `${street}\n${last}` : street;
};

/**
 * Returns the values of the address fields for a stored address. If its last line is not in the
 * region's format, the whole text is the street.
 */
export const splitAddress = (region: Region, text: string): ReadonlyMap<string, string> => {
  const { parts, lastLine } = forms[region];
  const end = text.lastIndexOf('\n');
  const found = end < 0 ? null : lastLine.exec(text.slice(end + 1));
  const isKnown = parts.every(({ options }, i) => !options || options.some(([value]) => value === found?.[i + 1]));
  const names = ['delivery_address', ...parts.map(({ name }) => name)];
  const values = found && isKnown ? [text.slice(0, end), ...found.slice(1)] : [text];
  return new Map(names.map((name, i) => [name, values[i] ?? '']));
};
