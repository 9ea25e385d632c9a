import { writeFileSync } from 'node:fs';
import { pageFile, readPage, withSections } from '../support/marked-tables.ts';
import { kindTables } from './kind-tables.ts';

/** Writes what the table of kinds says into the pages that state it: `npm run tables`. */
for (const [page, parts] of Object.entries(kindTables)) writeFileSync(pageFile(page), withSections(readPage(page), parts));
