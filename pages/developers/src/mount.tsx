import { render } from 'preact';
import type { DeveloperPageOptions, View } from './options.ts';
import { Page } from './page.tsx';

export { type Invoke, type PageAction, pageActions } from './contract.ts';
export type { DeveloperPageOptions, HistoryStep, Shown, View } from './options.ts';

export interface MountedPage {
  /** Shows another address after a step of the browser's history. Lists keep their loaded rows. */
  show(view: View, query: string, item: string): void;
  /** Empties the element and discards values that are shown only once. */
  unmount(): void;
}

/**
 * Mounts the Developers page in the host's element. The host supplies the stylesheet
 * (`developers-page.css`) and the function that runs actions.
 */
export const mountDeveloperPage = (element: Element, options: DeveloperPageOptions): MountedPage => {
  const show: MountedPage['show'] = (view, query, item) => render(<Page {...options} address={{ view, query, item }} />, element);
  show(options.view ?? 'keys', options.query ?? '', options.item ?? '');
  return { show, unmount: () => render(null, element) };
};
