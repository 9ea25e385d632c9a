import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pythonTool } from '../deploy/python.ts';
import { nextVersion, undocumentedAdditions, whatChanged } from './check.ts';

/**
 * `npm run changes`: writes what `docs/openapi.json` adds to the released document into the next
 * version of What changed.
 */
const heading = '**Added to the API**\n\n';
const folder = await mkdtemp(join(tmpdir(), 'changes-'));
try {
  const page = await readFile(whatChanged, 'utf8');
  const lines = (await undocumentedAdditions(await pythonTool('go', 'go'), folder, page)).map((line) => `- ${line}.\n`).join('');
  const start = page.includes(nextVersion) ? page : page.replace(/^## /m, `${nextVersion}\n## `);
  const next = start.includes(heading) ? start : start.replace(nextVersion, `${nextVersion}\n${heading}`);
  if (lines !== '') await writeFile(whatChanged, next.replace(heading, `${heading}${lines}`));
  process.stdout.write(lines === '' ? `${whatChanged} names every addition.\n` : lines);
} finally {
  await rm(folder, { recursive: true });
}
