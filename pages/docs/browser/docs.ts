import { copyButton } from './copy.ts';

/** Opens the list of pages if the window is wide enough. */
const openList = () => {
  const list = document.querySelector<HTMLDetailsElement>('.pages > details');
  const wide = matchMedia('(min-width: 60rem)');
  const follow = () => list?.toggleAttribute('open', wide.matches);
  wide.addEventListener('change', follow);
  follow();
};

/** Loads a script when it is first used. */
const load = <Module>(name: string): Promise<Module> => import(new URL(name, import.meta.url).href);

const isShown = (element: HTMLElement): boolean => element.offsetParent !== null;

const addCopyButtons = () => {
  for (const box of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    const bar = box.querySelector('figcaption, .bar');
    const name = (box.matches('figure') && bar?.textContent) || 'the sample';
    bar?.append(copyButton(name, () => [...box.querySelectorAll('pre')].find(isShown)?.textContent ?? ''));
  }
};

/** Offers the whole page for an assistant or notes. */
const offerPage = () => {
  const link = document.querySelector<HTMLAnchorElement>('.above a');
  link?.before(copyButton('page', async () => (await fetch(link.href)).text(), 'Copy page'));
};

const remembered = 'language of samples';

/** Reads or saves the language. A browser may forbid storage; then the choice is for this page. */
const storedLanguage = (language?: string): string | null => {
  try {
    if (language !== undefined) localStorage.setItem(remembered, language);
    return localStorage.getItem(remembered);
  } catch {
    return null;
  }
};

/** Applies the choice of a language to all samples, on this page and the next. */
const followLanguage = () => {
  const choose = (language: string | null) => {
    for (const choice of document.querySelectorAll<HTMLInputElement>('.samples input'))
      if (choice.value === language) choice.checked = true;
  };
  choose(storedLanguage());
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.closest('.samples')) return;
    const top = target.getBoundingClientRect().top;
    choose(target.value);
    storedLanguage(target.value);
    scrollBy(0, target.getBoundingClientRect().top - top); // samples above may have grown
  });
};

/**
 * Redirects old anchors: the reference was one page with anchors such as `#operation/createOrder`.
 */
const followOldLinks = () => {
  const [, id] = /^#.*operation\/(\w+)$/.exec(location.hash) ?? [];
  const link = id && document.querySelector<HTMLAnchorElement>(`main a[href$="#${id}"]`);
  if (link) location.replace(link.href);
};

const search = () => load<typeof import('./search.ts')>('search.js');
const openSearch = () => search().then(({ open }) => open());

/** Opens the search with `/` or with Ctrl or Command and K. */
const offerSearch = () => {
  const button = document.querySelector<HTMLButtonElement>('.find');
  if (button) button.hidden = false;
  button?.addEventListener('click', openSearch);
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input:not([type=radio]), textarea, select');
    const withControl = event.ctrlKey || event.metaKey;
    const isShortcut = withControl ? event.key === 'k' : event.key === '/' && !isTyping;
    if (!isShortcut || event.altKey) return;
    event.preventDefault();
    void openSearch();
  });
  const here = document.querySelector<HTMLElement>('.search-here');
  if (here) void search().then(({ searchIn }) => searchIn(here));
};

/** A longer sample is shortened to 30 lines. */
const longest = 45;

/** Shortens long samples of the reference. A button shows all lines. */
const foldSamples = () => {
  for (const box of document.querySelectorAll<HTMLElement>('.shown figure.code')) {
    const lines = box.querySelector('pre')?.textContent?.split('\n').length ?? 0;
    if (lines <= longest) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'unfold';
    button.textContent = `Show all ${lines} lines`;
    button.addEventListener('click', () => {
      box.classList.remove('folded');
      button.remove();
      box.querySelector('pre')?.focus({ preventScroll: true });
    });
    box.classList.add('folded');
    box.append(button);
  }
};

/** Marks the section in view in the list of the page's sections. */
const followSections = () => {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.outline a')];
  const headings = links.flatMap(({ hash }) => document.getElementById(decodeURIComponent(hash.slice(1))) ?? []);
  const mark = () => {
    const past = headings.filter((heading) => heading.getBoundingClientRect().top < 120);
    for (const link of links) link.toggleAttribute('data-current', link === links[Math.max(past.length - 1, 0)]);
  };
  document.addEventListener('scroll', mark, { passive: true });
  mark();
};

const offerTries = () => {
  for (const box of document.querySelectorAll<HTMLDetailsElement>('.try')) {
    box.hidden = false;
    box.addEventListener('toggle', () => load<typeof import('./try.ts')>('try.js').then(({ work }) => work(box)), { once: true });
  }
};

openList();
addCopyButtons();
offerPage();
foldSamples();
followLanguage();
followOldLinks();
followSections();
offerSearch();
offerTries();
