const paths = {
  close: 'M4 4l8 8M12 4l-8 8',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  alert: 'M8 2.2 14.6 13.6H1.4zM8 6.4v3.2M8 11.6v.1',
  clock: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM8 4.6V8l2.4 1.5',
  off: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM3.7 3.7l8.6 8.6',
  rejected: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4',
  copy: 'M5.5 5.5h8v8h-8zM3 10.5h-.5v-8h8V3',
  dash: 'M4 8h8',
  more: 'M3.2 8h.1M8 8h.1M12.8 8h.1',
} as const;

export type IconName = keyof typeof paths;

/** A decorative icon beside text with the same meaning. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
    <path d={paths[name]} fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" />
  </svg>
);
