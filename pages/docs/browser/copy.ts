/** A button that copies a text, and says so. Its name for screen readers says what it copies. */
export const copyButton = (name: string, textOf: () => string): HTMLButtonElement => {
  const button = document.createElement('button');
  button.type = 'button';
  const label = (verb: string) => {
    button.textContent = verb;
    button.setAttribute('aria-label', `${verb} ${name}`);
  };
  label('Copy');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(textOf());
    label('Copied');
    setTimeout(label, 2000, 'Copy');
  });
  return button;
};
