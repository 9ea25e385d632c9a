import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runFolder } from '../support/run-folder.ts';

/** Every state of every page. A full run of the suite fails if it looks at less. */
export const states = {
  checkout: [
    'open',
    'unfolded',
    'missing',
    'paid',
    'declined',
    'correctable',
    'pending',
    'wrong',
    'expired',
    'unknown',
    'german',
    'german-paid',
    'french',
  ],
  shop: [
    'products',
    'search',
    'category',
    'nothing-found',
    'product',
    'cart',
    'cart-empty',
    'refused',
    'thanks',
    'not-found',
    'waiting',
    'german',
    'german-cart',
  ],
  developers: [
    'webhooks-none',
    'webhooks-add',
    'webhooks-failing',
    'webhooks-tested',
    'webhooks-rotate',
    'webhooks-rotated',
    'webhooks-disabled',
    'webhooks-listening',
    'endpoint',
    'endpoint-failing',
    'deliveries-none',
    'deliveries-failed',
    'delivery-failed',
    'delivery-attempt',
    'delivery-redelivered',
    'deliveries-live',
    'redeliver-failed',
    'redeliver-disabled',
    'keys',
    'keys-create',
    'keys-shown-once',
    'keys-rename',
    'keys-replace',
    'keys-used',
    'keys-revoke',
    'keys-revoked',
    'keys-refused',
    'requests',
    'requests-none',
    'request',
    'trouble-webhook',
    'trouble-delivery',
    'trouble-key',
  ],
  docs: [
    'start',
    'getting-started',
    'webhooks',
    'errors',
    'go-live',
    'architecture',
    'reference',
    'reference-expenses',
    'events',
    'events-order.status_changed',
    'try',
    'try-failed',
    'search',
    'search-none',
    'not-found',
  ],
  terminal: ['help', 'help-noun', 'help-action', 'unknown-name', 'table', 'record', 'error', 'unreachable', 'listen', 'tail'],
} as const;

type Face = keyof typeof states;
const faces = Object.keys(states) as Face[];
export type State = { [F in Face]: `${F}/${(typeof states)[F][number]}` }[Face];

/** Widths in pixels by page. */
export const shownAt: Record<Face, readonly number[]> = {
  checkout: [390, 1440, 2560],
  shop: [390, 1440, 2560],
  developers: [390, 860, 1440, 2560],
  docs: [390, 1440, 1920, 2560],
  terminal: [800],
};
export const schemes = ['light', 'dark'] as const;

const folder = fileURLToPath(new URL('../../.local/browser/', import.meta.url));

/** Returns the path of one screenshot, and creates its folder. */
export const screenFile = async (state: State, width: number, scheme: string): Promise<string> => {
  await mkdir(join(folder, state, '..'), { recursive: true });
  return join(folder, `${state}-${width}-${scheme}.png`);
};

/** Returns the file of a terminal's output: `ans` with its colours, `txt` without. */
export const recordingFile = async (name: (typeof states.terminal)[number], ending: 'ans' | 'txt'): Promise<string> => {
  await mkdir(join(folder, 'terminal'), { recursive: true });
  return join(folder, 'terminal', `${name}.${ending}`);
};

const notes = (): string => join(process.env[runFolder] ?? '', 'states.txt');

/** Notes for the end of the run that a test looked at the state. */
export const noteState = (state: State): Promise<void> => appendFile(notes(), `${state}\n`);

/** Returns the states at which no test of this run looked. */
export const missingStates = async (): Promise<string[]> => {
  const noted = new Set((await readFile(notes(), 'utf8').catch(() => '')).split('\n'));
  return faces.flatMap((face) => states[face].map((state) => `${face}/${state}`)).filter((state) => !noted.has(state));
};

/** Writes `.local/browser/index.html` with all screens. */
export const indexScreens = async (): Promise<void> => {
  const sections = faces.map((face) => {
    const rows = states[face].map((state) => {
      const names = shownAt[face].flatMap((width) => schemes.map((scheme) => `${face}/${state}-${width}-${scheme}.png`));
      const recordings = face === 'terminal' ? ['txt', 'ans'].map((ending) => `${face}/${state}.${ending}`) : [];
      const pictures = names.map((name) => `<a href="${name}"><img src="${name}" alt="${name}" height="360" loading="lazy"></a>`);
      const links = recordings.map((name) => `<a href="${name}">${name}</a>`);
      return `<h3>${state}</h3><p>${[...pictures, ...links].join(' ')}</p>`;
    });
    return `<h2>${face}</h2>${rows.join('\n')}`;
  });
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Screens</title><h1>Screens</h1>${sections.join('\n')}`,
  );
};
