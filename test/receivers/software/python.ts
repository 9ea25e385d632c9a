import { fileURLToPath } from 'node:url';
import type { Software } from './software.ts';

export const python: Software = {
  name: "Python's own server",
  files: () => ({}),
  command: ({ http, https, chain, key }) => [
    'python3',
    [fileURLToPath(new URL('./server.py', import.meta.url)), String(http), String(https), chain, key],
  ],
  habits: {
    plain: {},
    folded: {},
    long: {},
    chunked: {},
    gzip: {},
    // HTTP/1.0, and the connection ends.
    old: {},
    tls: { port: 'https' },
  },
};
