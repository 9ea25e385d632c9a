/**
 * A button that copies a text, and says so. Its name for screen readers says what it copies. A browser
 * may reject a text that is copied long after the click, so a text to wait for is passed as a promise.
 */
export const copyButton = (name: string, textOf: () => string | Promise<string>, idle = 'Copy'): HTMLButtonElement => {
  const button = document.createElement('button');
  button.type = 'button';
  const label = (verb: string) => {
    button.textContent = verb === 'Copy' ? idle : verb;
    button.setAttribute('aria-label', `${verb} ${name}`);
  };
  label('Copy');
  button.addEventListener('click', async () => {
    const text = textOf();
    if (typeof text === 'string') await navigator.clipboard.writeText(text);
    else
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text.then((one) => new Blob([one], { type: 'text/plain' })) })]);
    label('Copied');
    setTimeout(label, 2000, 'Copy');
  });
  return button;
};
