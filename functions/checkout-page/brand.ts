import type { Settings } from '../../shared/domain/account/settings.ts';

/** How the page presents the shop (decisions §5). */
export interface Brand {
  readonly name: string;
  /** HTTPS URL of a picture. */
  readonly logo: string | null;
  /** Accent for each color scheme in which it has enough contrast. */
  readonly accent: { readonly light: string | null; readonly dark: string | null };
}

/** Minimum contrast of text of normal size (WCAG 2.2, 1.4.3). */
const leastContrast = 4.5;
/** For each color scheme, the page background with the color nearest to an accent. */
const grounds = { light: '#f7f3ee', dark: '#231f1b' } as const;

const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Returns the contrast ratio of two colors `#rrggbb`, from 1 to 21. */
export const contrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};

export const brandOf = (accountName: string, { checkout }: Settings): Brand => {
  const { name, logo, accent } = checkout?.branding ?? {};
  const readable = (scheme: keyof typeof grounds) => (accent && contrast(accent, grounds[scheme]) >= leastContrast ? accent : null);
  return { name: name || accountName, logo: logo ?? null, accent: { light: readable('light'), dark: readable('dark') } };
};
