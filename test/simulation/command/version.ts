import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const simulator = fileURLToPath(new URL('..', import.meta.url));

/** Returns a digest of the simulator's sources and of Node's major version. */
export const versionOfSimulator = (): string => {
  const digest = createHash('sha256').update(`node ${process.versions.node.split('.')[0]}\n`);
  const files = readdirSync(simulator, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.test)\.ts$/.test(name));
  for (const name of files.map((one) => one.split(path.sep).join('/')).sort())
    digest.update(`${name}\n`).update(readFileSync(path.join(simulator, name)));
  return digest.digest('hex').slice(0, 16);
};
