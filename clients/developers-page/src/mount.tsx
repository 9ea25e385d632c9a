import { render } from 'preact';
import type { Invoke } from './contract.ts';
import { Page, type View } from './page.tsx';

export { type Invoke, type PageAction, pageActions } from './contract.ts';
export type { View } from './page.tsx';

export interface DeveloperPageOptions {
  readonly invoke: Invoke;
  /** Whose page it is, for the heading. */
  readonly account?: { readonly id: string; readonly name?: string };
  /** The tab to begin with (default `keys`). */
  readonly view?: View;
  /** Called when another tab is chosen, so that the host may remember it. */
  readonly onViewChange?: (view: View) => void;
  /** Of dates and numbers, as in `Intl` (default: the browser's). */
  readonly locale?: string;
  readonly timeZone?: string;
}

export interface MountedPage {
  /** Empties the element; whatever was shown once is gone. */
  unmount(): void;
}

/** Shows the Developers page in an element of the host's, which has given it a stylesheet (`developers-page.css`) and the way to the actions. */
export const mountDeveloperPage = (element: Element, options: DeveloperPageOptions): MountedPage => {
  render(<Page {...options} />, element);
  return { unmount: () => render(null, element) };
};
