import { readFile, writeFile } from 'node:fs/promises';
import { pythonTool } from '../deploy/python.ts';
import { unsaidAdditions, whatChanged } from './check.ts';

/**
 * `npm run changes`: writes what `docs/openapi.json` adds to the released document into the next
 * version of What changed.
 */
const page = await readFile(whatChanged, 'utf8');
const next = '## Next version\n';
const start = page.includes(next) ? page : page.replace(/^## /m, `${next}\n## `);
const lines = (await unsaidAdditions(await pythonTool('go', 'go'), page)).map((line) => `- ${line}.\n`).join('');
if (lines !== '') await writeFile(whatChanged, start.replace(next, `${next}\n**Added to the API**\n\n${lines}`));
process.stdout.write(lines === '' ? `${whatChanged} names every addition.\n` : lines);
