import { render } from 'preact';
import type { DeveloperPageOptions } from './options.ts';
import { Page } from './page.tsx';

export { type Invoke, type PageAction, pageActions } from './contract.ts';
export type { DeveloperPageOptions, View } from './options.ts';

export interface MountedPage {
  /** Empties the element; whatever was shown once is gone. */
  unmount(): void;
}

/** Shows the Developers page in an element of the host's, which has given it a stylesheet (`developers-page.css`) and the way to the actions. */
export const mountDeveloperPage = (element: Element, options: DeveloperPageOptions): MountedPage => {
  render(<Page {...options} />, element);
  return { unmount: () => render(null, element) };
};
