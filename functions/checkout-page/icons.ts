import { type Html, html, trusted } from '../../shared/core/html.ts';

const drawings = {
  check: '<path d="M5 12.5l4.5 4.5L19 7.5"/>',
  alert: '<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5M12 16v.2"/>',
  clock: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3.2 2"/>',
  card: '<rect x="3" y="5.5" width="18" height="13" rx="2"/><path d="M3 10h18M6.5 15h4"/>',
  lock: '<rect x="5" y="10.5" width="14" height="9.5" rx="2"/><path d="M8 10.5V8a4 4 0 0 1 8 0v2.5"/>',
} as const;

/** Returns a drawing in the color of the text around it. Screen readers skip it. */
export const icon = (name: keyof typeof drawings): Html =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${trusted(drawings[name])}</svg>`;
