import { writeFileSync } from 'node:fs';
import { describeActions } from '../../ops/describe.ts';
import { pageFile, readPage, withSections } from '../support/marked-tables.ts';
import { guideFiles, guideParts } from './guide-parts.ts';
import { kindTables } from './kind-tables.ts';
import { readProofs, withProofs } from './proofs.ts';

/**
 * Writes the generated parts of pages, the drawing of the retry schedule and the inputs in the
 * help: `npm run tables`.
 */
for (const [page, parts] of Object.entries({ ...kindTables, ...guideParts }))
  writeFileSync(pageFile(page), withSections(readPage(page), parts));
for (const [file, make] of Object.entries(guideFiles)) writeFileSync(pageFile(file), make());
writeFileSync(pageFile('ops/actions.json'), `${JSON.stringify(describeActions())}\n`);
writeFileSync(pageFile('docs/guarantees.md'), withProofs(readPage('docs/guarantees.md'), readProofs()));
