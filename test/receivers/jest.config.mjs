import { spawnSync } from 'node:child_process';
import base from '../../jest.config.mjs';

/** The programs that the tests start, and Debian's packages of them. */
const needed = {
  nginx: 'nginx-light',
  caddy: 'caddy',
  apache2: 'apache2, libapache2-mod-security2 and modsecurity-crs',
  haproxy: 'haproxy',
  python3: 'python3',
  openssl: 'openssl',
};
// Debian keeps servers in a folder that is not on every user's PATH.
process.env.PATH += ':/usr/sbin';
const missing = Object.keys(needed).filter((program) => spawnSync(program, ['-v']).error);
if (missing.length > 0) throw new Error(`npm run test:receivers also needs ${missing.map((program) => needed[program]).join(', ')}.`);

/** Deliveries to web servers that others wrote: `npm run test:receivers` (docs/testing.md). */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/receivers/*.receivers.ts'],
};
