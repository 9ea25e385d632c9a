/**
 * The program in the page. The page also works without scripts, because the browser and the server
 * check the fields too, and the server checks for repeated payments. `npm run tables` builds this
 * file into `script.ts`, which is the text that the page contains.
 */
for (const form of document.forms) form.noValidate = true;
addEventListener('submit', (event) => {
  if (!showErrors(event)) disableButtons(event);
});
addEventListener('input', ({ target }) => removeErrorIfValid(target as Field));
addEventListener('pageshow', reloadIfRestored);
const card = document.querySelector<HTMLInputElement>('#card_number');
if (card) {
  card.addEventListener('input', () => groupDigits(card));
  showButtons('[data-card]', ({ dataset }) => fillIn(card, dataset['card'] ?? ''));
}
const again = document.querySelector<HTMLAnchorElement>('[data-wait]');
if (again) waitForResult(again.href, Number(again.dataset['wait']));
showButtons('[data-back]', () => history.back());
showButtons('[data-print]', () => print());

/** A field of a form. Its `data-error` is the text to show if it is empty or invalid. */
type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * Shows the error of each empty or invalid field beside it. If there is one, stops the submission,
 * focuses the first such field, begins the title with the form's `data-error`, and returns true.
 */
function showErrors(event: SubmitEvent): boolean {
  const fields = [...(event.target as HTMLFormElement).elements] as Field[];
  const invalid = fields.filter(({ dataset, validity }) => dataset['error'] && !validity.valid);
  for (const field of invalid) showError(field);
  if (!invalid[0]) return false;
  const { error = '' } = (event.target as HTMLFormElement).dataset;
  if (!document.title.startsWith(error)) document.title = error + document.title;
  event.preventDefault();
  invalid[0].focus();
  return true;
}

/** Disables the form's buttons, after the browser has read which of them was clicked. */
function disableButtons({ target, submitter }: SubmitEvent): void {
  setTimeout(() => {
    for (const button of (target as HTMLFormElement).querySelectorAll('button')) button.disabled = true;
    if (submitter?.dataset['busy']) submitter.textContent = submitter.dataset['busy'];
  });
}

function showError(field: Field): void {
  const id = `${field.id}-error`;
  let error = document.getElementById(id);
  if (!error) {
    error = document.createElement('p');
    error.id = id;
    error.className = 'error';
    field.closest('.field')?.append(error);
  }
  error.textContent = field.dataset['error'] ?? '';
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-describedby', id);
}

function removeError(field: Field): void {
  field.removeAttribute('aria-invalid');
  field.removeAttribute('aria-describedby');
  document.getElementById(`${field.id}-error`)?.remove();
}

function removeErrorIfValid(field: Field): void {
  if (field.getAttribute('aria-invalid') && field.validity.valid) removeError(field);
}

/**
 * Shows the result of a payment when it comes. Until then, the page stays as it is. Reads the page at
 * `url` after `seconds`, then less and less often, up to once a minute. If the URL asks the gateway, it
 * redirects the browser to the result, so it is opened instead.
 */
function waitForResult(url: string, seconds: number): void {
  setTimeout(async () => {
    if (url.endsWith('/return')) return location.replace(url);
    const heading = `>${document.querySelector('h1')?.textContent}<`;
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok && !(await response.text()).includes(heading)) location.replace(url);
    else waitForResult(url, Math.min(seconds * 1.5, 60));
  }, seconds * 1000);
}

/** Reloads a page that the browser restores from its memory, because its buttons are disabled. */
function reloadIfRestored({ persisted }: PageTransitionEvent): void {
  if (persisted) location.reload();
}

/** Writes a card number in groups of four digits. The caret stays after the same digit. */
function groupDigits(field: HTMLInputElement): void {
  const { value, selectionStart } = field;
  const grouped = digitsOf(value).replace(/.{4}(?=.)/g, '$& ');
  if (grouped === value) return;
  let remaining = digitsOf(value.slice(0, selectionStart ?? 0)).length;
  let caret = 0;
  while (remaining > 0) if (grouped[caret++] !== ' ') remaining--;
  field.value = grouped;
  field.setSelectionRange(caret, caret);
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '').slice(0, 19);
}

/** Fills in a test card. */
function fillIn(field: HTMLInputElement, number: string): void {
  field.value = number;
  removeError(field);
  field.focus();
}

/** Shows buttons that do nothing without scripts. */
function showButtons(selector: string, act: (button: HTMLElement) => void): void {
  for (const button of document.querySelectorAll<HTMLElement>(selector)) {
    button.hidden = false;
    button.addEventListener('click', () => act(button));
  }
}
