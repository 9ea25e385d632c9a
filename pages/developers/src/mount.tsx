import { render } from 'preact';
import type { DeveloperPageOptions } from './options.ts';
import { Page } from './page.tsx';

export { type Invoke, type PageAction, pageActions } from './contract.ts';
export type { DeveloperPageOptions, View } from './options.ts';

export interface MountedPage {
  /** Empties the element and discards values that are shown only once. */
  unmount(): void;
}

/**
 * Mounts the Developers page in the host's element. The host supplies the stylesheet
 * (`developers-page.css`) and the function that runs actions.
 */
export const mountDeveloperPage = (element: Element, options: DeveloperPageOptions): MountedPage => {
  render(<Page {...options} />, element);
  return { unmount: () => render(null, element) };
};
