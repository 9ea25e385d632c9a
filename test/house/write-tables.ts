import { writeFileSync } from 'node:fs';
import { describeActions } from '../../ops/describe.ts';
import { pageFile, readPage, withSections } from '../support/marked-tables.ts';
import { kindTables } from './kind-tables.ts';

/** Writes what the table of kinds says into the pages that state it, and what the actions take into the help: `npm run tables`. */
for (const [page, parts] of Object.entries(kindTables)) writeFileSync(pageFile(page), withSections(readPage(page), parts));
writeFileSync(pageFile('ops/actions.json'), `${JSON.stringify(describeActions())}\n`);
