import { writeFileSync } from 'node:fs';
import { templateOf } from '../lib/synthesize.ts';
import { synthesizeApp } from '../lib/synthesize-app.ts';
import { pageFile, readPage, withSections } from '../support/marked-tables.ts';
import { measureFigures } from './figures.ts';
import { sectionsOf } from './tables.ts';

/**
 * `npm run costs`: measures the cost of every operation and writes it into the pages that state it.
 */
const sections = sectionsOf(await measureFigures(templateOf(synthesizeApp().stacks, 'BakeryCommerce-us')));
for (const [page, parts] of Object.entries(sections)) writeFileSync(pageFile(page), withSections(readPage(page), parts));
