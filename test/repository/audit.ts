/**
 * `npm run audit` exits with 0 without failing advisories, 1 with one, and 2 if the registry serves
 * no advisories.
 */
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { type AuditReport, accepted, isReport, judge } from './advisories.ts';

const ask = (...options: string[]): AuditReport | undefined => {
  const { stdout } = spawnSync('npm', ['audit', '--json', ...options], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const output: unknown = JSON.parse(stdout || 'null');
  return isReport(output) ? output : undefined;
};

const main = (): number => {
  const [deployed, all] = [ask('--omit=dev'), ask()];
  if (!deployed || !all) {
    process.stdout.write('The registry serves no advisories: nothing was judged.\n');
    return 2;
  }
  const { unaccepted, stale } = judge({ deployed, all, accepted });
  for (const line of unaccepted) process.stdout.write(`${line}\n`);
  for (const id of stale) process.stdout.write(`${id} is accepted, but no longer reported: take it out of the list.\n`);
  process.stdout.write(`${unaccepted.length} advisories stand, ${Object.keys(accepted).length} are accepted.\n`);
  return unaccepted.length + stale.length > 0 ? 1 : 0;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = main();
