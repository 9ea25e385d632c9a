import { readDemo } from './demo.ts';

/** The lists of pages stands open where there is room for it. */
const openList = () => {
  const list = document.querySelector<HTMLDetailsElement>('.pages details');
  const wide = matchMedia('(min-width: 60rem)');
  const follow = () => list?.toggleAttribute('open', wide.matches);
  wide.addEventListener('change', follow);
  follow();
};

const addCopyButtons = () => {
  for (const figure of document.querySelectorAll('figure.code')) {
    const caption = figure.querySelector('figcaption');
    const code = figure.querySelector('code');
    if (!caption || !code || ['Answer', 'Prints', 'JSON'].includes(caption.textContent ?? '')) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', `Copy ${caption.textContent}`);
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(code.textContent ?? '');
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    });
    caption.append(button);
  }
};

/** The sample that sets the variables of all others gets the keys of this very service. */
const fillSetup = async () => {
  const samples = document.querySelectorAll('pre[data-setup] code');
  if (samples.length === 0) return;
  const { account } = await readDemo();
  for (const sample of samples) {
    let text = (sample.textContent ?? '').replace('http://127.0.0.1:4001', location.origin);
    if (account) text = text.replace(/svc_sk_live_us_…/, account.secretKey).replace(/svc_pk_live_us_…/, account.publishableKey);
    sample.textContent = text;
  }
};

openList();
addCopyButtons();
await fillSetup();
