import type { Layout } from './measures.ts';
import type { shownAt } from './screens.ts';

/** The layout of each face, by the width of the window in pixels. */
export const layouts: Record<keyof typeof shownAt, (width: number) => Layout> = {
  checkout: () => ({
    lines: { 'header p, header a, label, button, a.button, dt, dd, .amount, .cards summary, .fold summary > *': 1 },
  }),
  shop: () => ({ lines: { '.brand, .to-cart, button, .button, fieldset label, .sum, .price, .products b': 1 } }),
  developers: () => ({ lines: { 'h1, h2, [role=tab], .page-head > a': 1, 'summary, tbody :is(th, td):not(.row-note, :has(details))': 1 } }),
  docs: () => ({ widths: { 'main p': [100, 760] } }),
  terminal: () => ({}),
};
