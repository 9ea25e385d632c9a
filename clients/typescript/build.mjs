import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes `dist`: ES modules with the command, and the client as CommonJS for programs, test runners and settings of TypeScript that
 * cannot import ES modules.
 */
const here = import.meta.dirname;
const dist = join(here, 'dist');
rmSync(dist, { recursive: true, force: true });
for (const project of ['tsconfig.json', 'tsconfig.commonjs.json'])
  execFileSync(process.execPath, [join(here, '../../node_modules/typescript/bin/tsc'), '-p', join(here, project)], { stdio: 'inherit' });
writeFileSync(join(dist, 'commonjs/package.json'), `${JSON.stringify({ type: 'commonjs' })}\n`);
