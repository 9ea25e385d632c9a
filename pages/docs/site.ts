import { readFile } from 'node:fs/promises';
import { dirname, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { regions } from '../../shared/core/config.ts';
import { html, joinHtml } from '../../shared/core/html.ts';
import { bundleModule } from '../developers/build.ts';
import { type ApiDocument, type Operation, type Reference, type Resource, referenceOf } from './document.ts';
import { framed, neighbours, pageLink, pageList, plainText } from './frame.ts';
import { cardList, type Guide, guideGroups, guides, startDescription, startPage } from './guides.ts';
import { type LinkTo, renderMarkdown, sectionsOf, textOf } from './markdown.ts';
import { collectionFile, environmentFile, postmanEnvironment, regionTarget } from './postman.ts';
import { eventPage, eventsPage, referencePage, resourcePage } from './reference.ts';
import { callOf, type SampleTarget, samplesOf } from './samples.ts';
import { type Entry, indexOf } from './search-index.ts';

/** The files of the site by name. Each is made when it is first read. */
export type Site = ReadonlyMap<string, () => Promise<Buffer>>;

type Make = () => string | Buffer | Promise<Buffer>;

const makeOnce = (make: Make): (() => Promise<Buffer>) => {
  let made: Promise<Buffer> | undefined;
  return () => {
    made ??= Promise.resolve(make()).then((content) => Buffer.from(content));
    return made;
  };
};

const here = (name: string): string => fileURLToPath(new URL(`browser/${name}`, import.meta.url));
const readDocs = (name: string): Promise<Buffer> => readFile(new URL(`../../docs/${name}`, import.meta.url));

const folderOf = ({ slug }: Guide): string => `${slug}/`;

/** Pictures of guides by their files below `docs/`. The site has them in its root folder. */
const pictures: readonly string[] = ['retry-schedule.svg', 'listen.svg', 'deliveries-light.png', 'favicon.svg'].map(
  (name) => `pictures/${name}`,
);

/**
 * Returns a function that maps a link in a guide's file to its address on the site. A link leads to
 * another guide's file, to a picture or, as `../openapi.json#createExpense`, to an operation. A
 * file that is not on the site gives undefined. `suffix` ends a page's address.
 */
const guideLink =
  ({ resources }: Reference, from: Guide, root: string, suffix: '/' | '.md'): LinkTo =>
  (href) => {
    if (/^(https?:|#)/.test(href)) return href;
    const [path = '', anchor] = href.split('#');
    const hash = anchor === undefined ? '' : `#${anchor}`;
    const target = posix.join(dirname(from.file), path);
    if (target === 'openapi.json') {
      const resource = resources.find(({ operations }) => operations.some(({ id }) => id === anchor));
      return `${root}reference${resource ? `/${resource.slug}` : ''}${suffix}${hash}`;
    }
    if (pictures.includes(target)) return root + posix.basename(target);
    const guide = guides.find(({ file }) => file === target);
    return guide && `${root}${suffix === '/' ? folderOf(guide) : guide.text}${hash}`;
  };

/** Puts the keys of the place into the sample that sets the variables of all others. */
const filled = (markdown: string, target: SampleTarget | undefined): string =>
  target?.key && target.publishableKey
    ? markdown
        .replace('BAKERY_URL=https://us.api.example.com/api/v2', `BAKERY_URL=${target.base}`)
        .replace('BAKERY_API_KEY=svc_sk_live_us_…', `BAKERY_API_KEY=${target.key}`)
        .replace('BAKERY_PUBLISHABLE_KEY=svc_pk_live_us_…', `BAKERY_PUBLISHABLE_KEY=${target.publishableKey}`)
    : markdown;

const firstParagraph = (markdown: string): string =>
  /^# .+\n+((?:.+\n)+)/.exec(markdown)?.[1]?.trim().replaceAll('\n', ' ').replaceAll('`', '') ?? '';

const guideLists = (root: string, current?: Guide) => {
  const link = (page: Guide) => pageLink(root + folderOf(page), page.title, page === current);
  return joinHtml(
    Object.entries(guideGroups).map(([title, pages]) => pageList(title, pages.map(link))),
    '\n',
  );
};

const guidePage = (guide: Guide, markdown: string, reference: Reference, target: SampleTarget | undefined): string => {
  const root = '../';
  const index = guides.indexOf(guide);
  const neighbour = (page: Guide | undefined) => page && { title: page.title, folder: folderOf(page) };
  return framed({
    title: guide.title,
    description: plainText(firstParagraph(markdown)),
    root,
    area: 'guides',
    section: Object.entries(guideGroups).find(([, pages]) => pages.includes(guide))?.[0] ?? '',
    lists: guideLists(root, guide),
    main: html`${renderMarkdown(filled(markdown, target), guideLink(reference, guide, root, '/'))}
${neighbours(root, neighbour(guides[index - 1]), neighbour(guides[index + 1]))}`,
    outline: sectionsOf(markdown, 2).flatMap(({ id, title }) => (id ? [html`<li><a href="#${id}">${title}</a></li>`] : [])),
    isLocal: target !== undefined,
    markdown: root + guide.text,
  });
};

const startFile = (reference: Reference, target: SampleTarget | undefined): string =>
  framed({
    title: 'Developers',
    description: startDescription,
    root: './',
    area: 'start',
    lists: guideLists('./'),
    main: startPage(reference, target),
    isLocal: target !== undefined,
  });

/** The page of an unknown address. Its links are absolute, because the address may be anywhere. */
const missingFile = (target: SampleTarget | undefined, root: string): string =>
  framed({
    title: 'Not found',
    description: 'This page does not exist.',
    root,
    area: 'start',
    lists: guideLists(root),
    main: html`<div class="above"><span>404</span></div>
<h1>This page does not exist</h1>
<p>The address may have changed. Search the docs, or begin at the <a href="${root}">start page</a>, the <a href="${root}getting-started/">guides</a> or the <a href="${root}reference/">reference</a>.</p>
<div class="search-here" hidden></div>
${cardList(root)}`,
    isLocal: target !== undefined,
  });

/** Rewrites the links of a Markdown text. */
const relinked = (markdown: string, linkTo: LinkTo): string =>
  markdown.replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, text: string, href: string) => {
    const address = linkTo(href);
    return address === undefined ? text : `[${text}](${address})`;
  });

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

const operationMarkdown = (operation: Operation, siblings: readonly Operation[]): string => {
  const { method, path, summary, description, scope, keyTypes, parameters, success, errors, examples } = operation;
  const samples = samplesOf(callOf(operation, undefined, siblings));
  return [
    `## ${summary}\n\n\`${method} /api/v2${path}\`, with the scope \`${scope}\`; keys: ${keyTypes.join(', ')}.\n\n${description}`,
    ...(parameters.length > 0
      ? [parameters.map(({ name, in: location, description: text }) => `- \`${name}\` (${location}): ${text}`).join('\n')]
      : []),
    fenced('bash', samples.bash),
    fenced('ts', samples.ts),
    fenced('python', samples.python),
    `${success.status}: ${success.description}`,
    ...(examples[0] ? [fenced('json', JSON.stringify(examples[0].response, null, 2))] : []),
    ...errors.map(({ status, description: text }) => `${status}:\n\n${text}`),
  ].join('\n\n');
};

const resourceMarkdown = ({ title, description, operations }: Resource): string =>
  [`# ${title}`, description, ...operations.map((operation) => operationMarkdown(operation, operations))].join('\n\n');

const eventsMarkdown = ({ aboutEvents, events }: Reference): string =>
  [
    '# Events',
    aboutEvents,
    ...events.map(
      ({ type, summary, description, example }) =>
        `## ${type}\n\n${summary}. ${description}\n\n${fenced('json', JSON.stringify(example, null, 2))}`,
    ),
  ].join('\n\n');

/** Returns llms.txt (https://llmstxt.org): the pages of the site for language models. */
const llmsText = ({ info, resources }: Reference, texts: ReadonlyMap<Guide, string>): string =>
  [
    `# Bakery Commerce\n\n> ${info.summary} A JSON REST API (v2) and signed webhooks; one account lives in one region.`,
    `## Guides\n\n${guides.map((guide) => `- [${guide.title}](${guide.text}): ${textOf(firstParagraph(texts.get(guide) ?? ''))}`).join('\n')}`,
    `## Reference\n\n${[
      '- [Every request](reference.md): keys, idempotency, lists, limits, errors',
      ...resources.map(({ slug, title, description }) => `- [${title}](reference/${slug}.md): ${textOf(description)}`),
      '- [Events](events.md): how they arrive, and a real delivery of each',
      '- [openapi.json](openapi.json): the OpenAPI 3.1 document',
      '- [openapi-3.0.json](openapi-3.0.json): the OpenAPI 3.0 document, for generators of clients',
      '- [SKILL.md](SKILL.md): the steps of an integration, for coding agents',
    ].join('\n')}`,
  ].join('\n\n');

const entriesOf = ({ info, resources, events, aboutEvents }: Reference, texts: ReadonlyMap<Guide, string>): Entry[] => {
  const parts = (address: string, page: string, markdown: string, depth: 1 | 2): Entry[] =>
    sectionsOf(markdown, depth).map(({ id, title, text }) => ({
      id: address + (id && `#${id}`),
      title: title || page,
      page,
      text: textOf(text),
    }));
  return [
    ...guides.flatMap((guide) => parts(folderOf(guide), guide.title, texts.get(guide) ?? '', 2)),
    ...parts('reference/', 'API reference', info.description, 1),
    ...resources.flatMap(({ slug, title, operations }) =>
      operations.map(({ id, summary, method, path, description, parameters }) => ({
        id: `reference/${slug}/#${id}`,
        title: summary,
        page: `Reference: ${title}`,
        text: textOf([`${method} ${path}`, id, description, ...parameters.map(({ name }) => name)].join(' ')),
      })),
    ),
    ...parts('events/', 'How events arrive', aboutEvents, 2),
    ...events.map(({ type, summary, description }) => ({
      id: `events/${type}/`,
      title: type,
      page: 'Events',
      text: textOf(`${summary}. ${description}`),
    })),
  ];
};

/** The site has the Markdown of guides in its root folder. */
const skillLink: LinkTo = (href) => {
  const guide = guides.find(({ file }) => file === href.split('#')[0]);
  return guide ? href.replace(guide.file, guide.text) : href;
};

/** Opens the site: for a service that serves it, or for any host. `edit` changes the Markdown of each guide. */
export const openSite = async (target?: SampleTarget, edit = (markdown: string) => markdown): Promise<Site> => {
  const document = await readDocs('openapi.json');
  const reference = referenceOf(JSON.parse(document.toString('utf8')) as ApiDocument);
  const texts = new Map(await Promise.all(guides.map(async (guide) => [guide, edit(String(await readDocs(guide.file)))] as const)));
  const files: Record<string, Make> = {
    'index.html': () => startFile(reference, target),
    '404.html': () => missingFile(target, target === undefined ? '/' : '/docs/'),
    'llms.txt': () => llmsText(reference, texts),
    'search.json': () => indexOf(entriesOf(reference, texts)),
    'reference.md': () => `# API reference\n\n${reference.info.description.replace(/^#/gm, '##')}`,
    'events.md': () => eventsMarkdown(reference),
    'reference/index.html': () => referencePage(reference, target),
    'events/index.html': () => eventsPage(reference, target),
  };
  for (const [guide, markdown] of texts) {
    files[`${folderOf(guide)}index.html`] = () => guidePage(guide, markdown, reference, target);
    files[guide.text] = () => relinked(markdown, guideLink(reference, guide, '', '.md'));
  }
  for (const resource of reference.resources) {
    files[`reference/${resource.slug}/index.html`] = () => resourcePage(reference, resource, target);
    files[`reference/${resource.slug}.md`] = () => resourceMarkdown(resource);
  }
  for (const event of reference.events) files[`events/${event.type}/index.html`] = () => eventPage(reference, event, target);
  const styles = ['docs', 'columns', 'start', 'guide', 'code', 'reference', 'try', 'search'].map((name) => `${name}.css`);
  files['docs.css'] = async () => Buffer.concat(await Promise.all(styles.map((name) => readFile(here(name)))));
  for (const name of ['docs', 'search', 'try']) files[`${name}.js`] = () => bundleModule(here(`${name}.ts`));
  files['openapi.json'] = () => document;
  files['openapi-3.0.json'] = () => readDocs('openapi-3.0.json');
  files[collectionFile] = () => readDocs(collectionFile);
  for (const region of regions) files[environmentFile(region)] = () => postmanEnvironment(region, regionTarget(region));
  if (target) files[environmentFile('local')] = () => postmanEnvironment('local', target);
  files['SKILL.md'] = async () => Buffer.from(relinked(String(await readDocs('SKILL.md')), skillLink));
  for (const name of pictures) files[posix.basename(name)] = () => readDocs(name);
  return new Map(Object.entries(files).map(([name, make]) => [name, makeOnce(make)]));
};
