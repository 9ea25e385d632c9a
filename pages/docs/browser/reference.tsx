import { render } from 'preact';
import { type Demo, readDemo } from './demo.ts';
import { type ApiDocument, type Operation, operationsOf } from './operations.ts';
import { theme } from './theme.ts';
import { TryDialog } from './try-dialog.tsx';

declare const Redoc: { init(document: unknown, options: unknown, element: Element, done: (error?: Error) => void): void };

/**
 * What assistive technology would stumble over in Redoc: panels are headed by h5 right below an h2, and the names given to entries of
 * the menu leave out words that they show.
 */
const repair = (root: Element) => {
  const now = () => {
    for (const heading of root.querySelectorAll('h5:not([aria-level])')) heading.setAttribute('aria-level', '3');
    for (const entry of root.querySelectorAll('[role="menuitem"][aria-label]')) entry.removeAttribute('aria-label');
  };
  new MutationObserver(now).observe(root, { childList: true, subtree: true });
  now();
};

const tryPrefix = '#try/';

const openOnClick = (operations: ReadonlyMap<string, Operation>, demo: Demo, place: Element) => {
  const close = () => render(null, place);
  const open = (hash: string): boolean => {
    const operation = hash.startsWith(tryPrefix) ? operations.get(hash.slice(tryPrefix.length)) : undefined;
    if (operation) render(<TryDialog key={operation.id} operation={operation} demo={demo} onClose={close} />, place);
    return operation !== undefined;
  };
  document.addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(`a[href^="${tryPrefix}"]`) : null;
      if (!link || !open(link.hash)) return;
      event.preventDefault();
      event.stopPropagation(); // Redoc would look for a section of that name
    },
    { capture: true },
  );
  open(location.hash);
};

const root = document.querySelector('#reference');
const place = document.querySelector('#try');
if (root && place) {
  const [specification, demo] = await Promise.all([
    fetch('/docs/reference.json').then((response) => response.json() as Promise<ApiDocument>),
    readDemo(),
  ]);
  const options = {
    theme,
    scrollYOffset: '#top',
    downloadUrls: [{ title: 'openapi.json', url: '/docs/openapi.json' }],
    requiredPropsFirst: true,
    sortTagsAlphabetically: false,
    expandResponses: '200,201',
    jsonSamplesExpandLevel: 3,
    nativeScrollbars: true,
  };
  Redoc.init(specification, options, root, () => repair(root));
  openOnClick(operationsOf(specification, demo), demo, place);
}
