import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleModule } from '../../clients/developers-page/build.ts';
import { guidePage, referencePage } from './frame.ts';
import { guides, readGuide, renderGuide } from './guides.ts';
import { pageDocument, readDocument, readRedoc } from './reference.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const makers: Readonly<Record<string, () => Promise<Buffer>>> = {
  'docs.css': () => readFile(here('browser/docs.css')),
  'guide.css': () => readFile(here('browser/guide.css')),
  'reference.css': () => readFile(here('browser/reference.css')),
  'guide.js': () => bundleModule(here('browser/guide.ts')),
  'reference.js': () => bundleModule(here('browser/reference.tsx')),
  'redoc.js': readRedoc,
  'openapi.json': readDocument,
  'reference.json': async () => pageDocument(await readDocument()),
  'reference/': async () => Buffer.from(referencePage()),
  ...Object.fromEntries(
    guides.map((guide) => [guide.slug, async () => Buffer.from(guidePage(guide, await renderGuide(await readGuide(guide))))]),
  ),
};

/** A file of the site by its name below `/docs/`; undefined where there is none. */
export const makeFile = async (name: string): Promise<Buffer | undefined> => (Object.hasOwn(makers, name) ? makers[name]?.() : undefined);
