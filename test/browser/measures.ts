import type { Page } from 'playwright-core';

/** The layout of a face at one width of the window. Lengths are pixels. */
export interface Layout {
  /** Least and greatest widths of elements, by selector. Each selector must match. */
  readonly widths?: Readonly<Record<string, readonly [least: number, greatest: number]>>;
  /** Greatest number of lines of text in elements, by selector. */
  readonly lines?: Readonly<Record<string, number>>;
}

/*
 * The functions below run in the browser. `measure` sends their text, so they use nothing but each
 * other.
 */

/** Returns the visible elements. Text for screen readers alone has a box of one pixel. */
function seen(selector: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  });
}

function startOf(element: Element): string {
  return element.outerHTML.replace(/\s+/g, ' ').slice(0, 160);
}

function smallTexts(): string[] {
  return seen('body, body *')
    .filter((element) => [...element.childNodes].some(({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim()))
    .filter((element) => {
      const size = Number.parseFloat(getComputedStyle(element).fontSize);
      // Text of size 0 is for screen readers; the element shows another text.
      return size > 0 && size < 11;
    })
    .map((element) => `text below 11 px: ${startOf(element)}`);
}

/** Elements whose content is cut by their own box. An ellipsis or a line clamp shows its cut. */
function cutElements(): string[] {
  const hides = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
  return seen('body *:not(svg *)').flatMap((element) => {
    const style = getComputedStyle(element);
    if (style.textOverflow === 'ellipsis' || style.getPropertyValue('-webkit-line-clamp') !== 'none') return [];
    const isCut =
      (hides(style.overflowX) && element.scrollWidth > element.clientWidth + 1) ||
      (hides(style.overflowY) && element.scrollHeight > element.clientHeight + 2);
    return isCut ? [`cut by its box: ${startOf(element)}`] : [];
  });
}

/** Cells whose text runs into the next column. */
function overfullCells(): string[] {
  return seen('td, th')
    .filter((cell) => getComputedStyle(cell).overflowX === 'visible' && cell.scrollWidth > cell.clientWidth + 1)
    .map((cell) => `wider than its cell: ${startOf(cell)}`);
}

/** Placeholders that are wider than their field. What a visitor types scrolls; a placeholder does not. */
function cutPlaceholders(): string[] {
  const pen = document.createElement('canvas').getContext('2d');
  return seen('input[placeholder]').flatMap((element) => {
    if (!(element instanceof HTMLInputElement) || pen === null) return [];
    const { font, paddingLeft, paddingRight } = getComputedStyle(element);
    pen.font = font;
    const space = element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    return pen.measureText(element.placeholder).width > space + 1 ? [`placeholder cut by its field: ${startOf(element)}`] : [];
  });
}

/** Reports whether the element is in a part of the page that scrolls sideways. */
function isScrolled(element: Element | null): boolean {
  return element !== null && (['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || isScrolled(element.parentElement));
}

function outsideWindow(): string[] {
  const { clientWidth, scrollWidth } = document.documentElement;
  const outside = seen('body *:not(svg *)').filter((element) => {
    const { left, right } = element.getBoundingClientRect();
    return (left < -1 || right > clientWidth + 1) && !isScrolled(element.parentElement);
  });
  return [
    ...(scrollWidth > innerWidth ? [`outside the window: the page has ${scrollWidth} px`] : []),
    ...outside.map((element) => `outside the window: ${startOf(element)}`),
  ];
}

/** Elements that end to the right of their section, form or dialog. */
function outsideBox(): string[] {
  return seen('main :is(section, form) *:not(dialog)').flatMap((element) => {
    const box = element.parentElement?.closest('section, form, dialog')?.getBoundingClientRect();
    return box && element.getBoundingClientRect().right > box.right && !isScrolled(element.parentElement)
      ? [`outside its box: ${startOf(element)}`]
      : [];
  });
}

/** Targets below 24 px. A link inside a sentence has the height of its line, and is none. */
function smallTargets(): string[] {
  return seen('a[href], button, input:not([type=hidden]), select, textarea, summary, [role=tab], [role=menuitem]').flatMap((element) => {
    if (element.matches('a') && getComputedStyle(element).display === 'inline') return [];
    const { width, height } = (element.closest('label') ?? element).getBoundingClientRect();
    return Math.min(width, height) < 23.5 ? [`target of ${Math.round(width)} by ${Math.round(height)} px: ${startOf(element)}`] : [];
  });
}

function brokenWidths(widths: NonNullable<Layout['widths']>): string[] {
  return Object.entries(widths).flatMap(([selector, [least, greatest]]) => {
    const found = seen(selector);
    if (found.length === 0) return [`nothing matches ${selector}`];
    return found.flatMap((element) => {
      const { width } = element.getBoundingClientRect();
      const isWithinLimits = width >= least - 0.5 && width <= greatest + 0.5;
      return isWithinLimits ? [] : [`${selector} has ${Math.round(width)} px, not ${least} to ${greatest}: ${startOf(element)}`];
    });
  });
}

function brokenLines(lines: NonNullable<Layout['lines']>): string[] {
  return Object.entries(lines).flatMap(([selector, greatest]) =>
    seen(selector).flatMap((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      // Boxes of one line overlap: a line begins below the end of the line before it.
      let [counted, end] = [0, Number.NEGATIVE_INFINITY];
      const boxes = [...range.getClientRects()].filter(({ width }) => width > 1).sort((one, other) => one.top - other.top);
      for (const { top, height, bottom } of boxes) {
        if (top + height / 2 < end) continue;
        [counted, end] = [counted + 1, bottom];
      }
      return counted > greatest ? [`${selector} has ${counted} lines, not ${greatest}: ${startOf(element)}`] : [];
    }),
  );
}

const functions = [
  seen,
  startOf,
  smallTexts,
  cutElements,
  overfullCells,
  cutPlaceholders,
  isScrolled,
  outsideWindow,
  outsideBox,
  smallTargets,
  brokenWidths,
  brokenLines,
].join('\n');

/**
 * Returns the faults that an eye finds in the page as it is shown now: text below 11 px, cut
 * elements, elements outside the window, targets below 24 px, and a broken layout of the face. Waits for
 * the page's stylesheets: a link can show the next page's words before them.
 */
export const measure = async (page: Page, { widths = {}, lines = {} }: Layout): Promise<string[]> => {
  await page.waitForLoadState();
  const calls = `smallTexts(), cutElements(), overfullCells(), cutPlaceholders(), outsideWindow(), outsideBox(), smallTargets(), brokenWidths(${JSON.stringify(widths)}), brokenLines(${JSON.stringify(lines)})`;
  const found = (await page.evaluate(`(() => { ${functions}\nreturn [${calls}].flat() })()`)) as string[];
  return [...new Set(found)];
};

/** Returns the faults of the page with text of twice the size. A placeholder that is cut has a label above it. */
export const measureLarge = async (page: Page): Promise<string[]> => {
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  return (await measure(page, {})).filter((fault) => !fault.startsWith('placeholder'));
};
