import { regions } from '../../shared/core/config.ts';
import { type Html, html, joinHtml } from '../../shared/core/html.ts';
import type { EventType, Example, Operation, Reference, Resource } from './document.ts';
import { fieldsOf, parametersOf } from './fields.ts';
import { framed, neighbours, type Page, pageGroup, pageLink, pageList, plainText } from './frame.ts';
import { figure, heading, renderInline, renderMarkdown, sectionsOf, tabs } from './markdown.ts';
import { collectionFile, environmentFile } from './postman.ts';
import { callOf, json, languages, type Samples, type SampleTarget, samplesOf, verifySamples } from './samples.ts';
import { methodBadge, tryForm } from './try-form.ts';

const samplePanel = (id: string, samples: Samples): Html =>
  tabs(
    id,
    Object.entries(languages).flatMap(([language, name]) => {
      const text = samples[language as keyof Samples];
      return text === undefined ? [] : [{ language, name, text }];
    }),
  );

const moreExample = ({ summary, query, body, response }: Example): Html => {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  const sent = body === undefined ? '' : figure(json(body), 'json', 'Body');
  return html`<details><summary>${summary}</summary>${search ? html`<p class="query"><code>?${search}</code></p>` : ''}${sent}${figure(json(response), 'json', 'Response')}</details>`;
};

const limitsText = (limits: Operation['limits']): string => limits.map(({ limit, per }) => `${limit} a minute per ${per}`).join(', ');

const section = (operation: Operation, siblings: readonly Operation[], target: SampleTarget | undefined, { resolve }: Reference): Html => {
  const { id, method, path, summary, description, scope, keyTypes, limits, parameters, body, success, errors, examples } = operation;
  const [example, ...others] = examples;
  const errorRows = errors.map(
    ({ status, description: text }) => html`<tr><th scope="row">${status}</th><td>${renderMarkdown(text)}</td></tr>`,
  );
  const needsEndpoint = path.startsWith('/webhooks/') && target?.key && target.ids['webhooks'] === undefined;
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-title">
<div class="pair"><div class="told">
<h2 id="${id}-title"><a href="#${id}">${summary}</a></h2>
<p class="path">${methodBadge(method)} <code>/api/v2${path}</code></p>
${renderMarkdown(description)}
<dl class="facts"><dt>Keys</dt><dd>${keyTypes.join(', ')}</dd><dt>Scope</dt><dd><code>${scope}</code></dd><dt>Limit</dt><dd>${limitsText(limits)}</dd></dl>
${parameters.length > 0 ? html`<h3>Parameters</h3>${parametersOf(parameters, resolve)}` : ''}
${body ? html`<h3>Body</h3>${fieldsOf(body, resolve, true)}` : ''}
<h3>Response</h3><p><strong>${success.status}</strong> ${renderInline(success.description)}</p>
<details><summary>Fields of the response</summary>${fieldsOf(success.schema, resolve)}</details>
</div>
<div class="shown">
${needsEndpoint ? html`<p class="note">The samples use your newest endpoint. Register one with the first sample of this page, then reload the page.</p>` : ''}
${tryForm(operation, siblings, target, resolve)}
${samplePanel(id, samplesOf(callOf(operation, target, siblings)))}
${example ? figure(json(example.response), 'json', `Response, ${success.status}`) : ''}
${others.length > 0 ? html`<div class="more"><h3>More examples</h3>${others.map(moreExample)}</div>` : ''}
</div></div>
<h3>Errors</h3><div class="table errors" tabindex="0"><table><thead><tr><th>Status</th><th><code>code</code>, and when</th></tr></thead><tbody>${joinHtml(errorRows, '\n')}</tbody></table></div>
</section>`;
};

/** The title of a group of events: `Quick sale events` for `quick_sale`. */
const titleOf = (kind: string): string => `${kind.charAt(0).toUpperCase()}${kind.slice(1).replaceAll('_', ' ')} events`;

/** The navigation of the reference. */
const lists = (reference: Reference, root: string, current: string): Html => {
  const resources = reference.resources.map(({ slug, title, operations }) => {
    const folder = `${root}reference/${slug}/`;
    const inside = operations.map(({ id, summary }) => html`<li><a href="#${id}">${summary}</a></li>`);
    return html`${pageLink(folder, title, current === slug)}${current === slug && html`<ul>${inside}</ul>`}`;
  });
  const eventLink = (type: string) => pageLink(`${root}events/${type}/`, type, current === type);
  const events = Object.entries(Object.groupBy(reference.events, ({ type }) => type.split('.')[0] ?? '')).map(([kind, group = []]) => {
    const links = group.map(({ type }) => eventLink(type));
    return links.length === 1 ? html`${links}` : pageGroup(titleOf(kind), links, current.startsWith(`${kind}.`));
  });
  return joinHtml(
    [
      pageList('API', [pageLink(`${root}reference/`, 'Introduction', current === 'reference'), ...resources]),
      pageList('Events', [pageLink(`${root}events/`, 'How events arrive', current === 'events'), ...events]),
    ],
    '\n',
  );
};

/** Every page of the reference in reading order. */
const pagesOf = ({ resources, events }: Reference) => [
  { name: 'reference', title: 'API reference', folder: 'reference/' },
  ...resources.map(({ slug, title }) => ({ name: slug, title, folder: `reference/${slug}/` })),
  { name: 'events', title: 'How events arrive', folder: 'events/' },
  ...events.map(({ type }) => ({ name: type, title: type, folder: `events/${type}/` })),
];

type ReferencePage = Pick<Page, 'title' | 'description' | 'main' | 'outline' | 'markdown'> & { readonly name: string };

const framedReference = (reference: Reference, target: SampleTarget | undefined, page: ReferencePage): string => {
  const { name, main, ...rest } = page;
  const pages = pagesOf(reference);
  const at = pages.findIndex((one) => one.name === name);
  const root = '../'.repeat((pages[at]?.folder ?? '').split('/').length - 1);
  return framed({
    ...rest,
    root,
    area: 'reference',
    section: pages[at]?.folder.startsWith('events/') ? 'Events' : 'API',
    lists: lists(reference, root, name),
    main: html`${main}\n${neighbours(root, pages[at - 1], pages[at + 1])}`,
    isLocal: target !== undefined,
  });
};

const onThisPage = (...sections: readonly (readonly [id: string, title: string])[]): readonly Html[] =>
  sections.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`);

/** Links to the operations of a page; of this page if it has no address. */
const indexOf = (operations: readonly Operation[], page = ''): Html => {
  const links = operations.map(
    ({ id, method, path, summary }) =>
      html`<li><a href="${page}#${id}">${summary}</a> <span>${methodBadge(method)} <code>${path}</code></span></li>`,
  );
  return html`<ul class="index">${links}</ul>`;
};

export const resourcePage = (reference: Reference, { slug, title, description, operations }: Resource, target?: SampleTarget): string => {
  const main = html`<div class="intro"><div>
<h1>${title}</h1>
${renderMarkdown(description)}</div>
<div class="panel"><h2>Operations</h2>${indexOf(operations)}</div></div>
${joinHtml(
  operations.map((operation) => section(operation, operations, target, reference)),
  '\n',
)}`;
  return framedReference(reference, target, {
    name: slug,
    title,
    description: plainText(description),
    main,
    markdown: `../${slug}.md`,
  });
};

/** The first page of the reference: rules for every operation, and links to each. */
export const referencePage = (reference: Reference, target?: SampleTarget): string => {
  const resources = reference.resources.map(
    ({ slug, title, operations }) => html`<h3><a href="./${slug}/">${title}</a></h3>${indexOf(operations, `./${slug}/`)}`,
  );
  const [start, ...others] = sectionsOf(reference.info.description, 1);
  const about = others.map(({ id, title, text }) => html`${heading(2, id, title)}${renderMarkdown(text)}`);
  const environments = [...(target ? (['local'] as const) : []), ...regions].map(
    (name) => html`<a href="../${environmentFile(name)}">${name}</a>`,
  );
  const main = html`<h1>API reference</h1>\n${renderMarkdown(start?.text ?? '')}
<p>The OpenAPI document: <a href="../openapi.json">openapi.json</a>. For generators of clients: <a href="../openapi-3.0.json">openapi-3.0.json</a>.</p>
<p>For Postman: <a href="../${collectionFile}">the collection</a>, and an environment: ${joinHtml(environments, ', ')}.</p>
<h2 id="operations">Operations</h2>${joinHtml(resources, '\n')}\n${joinHtml(about, '\n')}`;
  return framedReference(reference, target, {
    name: 'reference',
    title: 'API reference',
    markdown: '../reference.md',
    description: 'Every operation of the REST API: paths, fields, scopes, limits, errors and samples.',
    main,
    outline: onThisPage(['operations', 'Operations'], ...others.map(({ id, title }) => [id, title] as const)),
  });
};

const headerTable = ({ headers }: EventType): Html =>
  renderMarkdown(
    ['| Header | Value |', '|---|---|', ...headers.map(({ name, description }) => `| \`${name}\` | ${description} |`)].join('\n'),
  );

const headerExample = ({ headers }: EventType): Html =>
  figure(headers.map(({ name, example }) => `${name}: ${example}`).join('\n'), 'http', 'Headers of a delivery');

/** Events of a payment on the hosted page. */
const causedByCheckout = new Set(['order.created', 'customer.created', 'payment.created', 'payment.completed', 'payment.failed']);

/**
 * Lists the causes of an event: operations with a description that names it, the hosted page and
 * the dashboard.
 */
const causesOf = ({ type }: EventType, { resources }: Reference): Html => {
  const emitting = resources.flatMap(({ slug, operations }) =>
    operations
      .filter(({ description, path }) => description.includes(`\`${type}\``) || (type === 'webhook.test' && path.endsWith('/test')))
      .map(({ id, summary }) => html`<a href="../../reference/${slug}/#${id}">${summary}</a>`),
  );
  const hosted = causedByCheckout.has(type) ? [html`<a href="../../reference/checkout/">a checkout</a> on the hosted page`] : [];
  const dashboard = type === 'webhook.test' ? [] : ['actions in the dashboard'];
  return joinHtml([...emitting, ...hosted, ...dashboard], '; ');
};

export const eventPage = (reference: Reference, event: EventType, target?: SampleTarget): string => {
  const { type, summary, description, schema, example } = event;
  const object = reference.resolve(schema).properties?.['data']?.properties?.['object'] ?? {};
  const isTest = type === 'webhook.test';
  const command = `npm run --silent ops -- trigger ${type}`;
  const main = html`<h1><code>${type}</code></h1>
<div class="pair"><div class="told">
<p>${summary}. ${renderInline(description)}</p>
<dl class="facts"><dt>Caused by</dt><dd>${causesOf(event, reference)}</dd><dt>Sent</dt><dd>signed, at least once, in any order: <a href="../">how events arrive</a></dd></dl>
<h2 id="object">Fields of <code>data.object</code></h2>${fieldsOf(object, reference.resolve)}
<h2 id="envelope">The envelope</h2>${fieldsOf({ ...reference.resolve(schema), properties: { ...reference.resolve(schema).properties, data: { type: 'object', description: 'Holds `object`, the payload.' } } }, reference.resolve)}
<h2 id="headers">Headers</h2>${headerTable(event)}
</div><div class="shown">
${figure(json(example), 'json', 'Body of a delivery')}
<h2 id="verify">Verify it</h2>
${samplePanel('verify', verifySamples(event))}
<p>By hand, and in other languages: <a href="../../webhooks/#verify-the-signature">Verify the signature</a>.</p>
${isTest ? '' : html`<h2 id="cause">Make it happen</h2><p>In the local service, with <code>npm run --silent ops -- listen</code> in another terminal:</p>${figure(command, 'bash')}`}
</div></div>`;
  return framedReference(reference, target, { name: type, title: type, description: plainText(`${summary}. ${description}`), main });
};

export const eventsPage = (reference: Reference, target?: SampleTarget): string => {
  const { events, aboutEvents } = reference;
  const test = events.at(-1) as EventType;
  const index = events.map(({ type, summary }) => html`<li><a href="./${type}/"><code>${type}</code></a> <span>${summary}</span></li>`);
  const main = html`<h1>How events arrive</h1>\n${renderMarkdown(aboutEvents)}
<p>Programs that receive them: <a href="../webhooks/">Webhooks</a>.</p>
<h2 id="types">Types</h2><ul class="index">${index}</ul>
<h2 id="headers">Headers of every delivery</h2>${headerTable(test)}${headerExample(test)}`;
  return framedReference(reference, target, {
    name: 'events',
    title: 'How events arrive',
    markdown: '../events.md',
    description: `The ${events.length} event types, their headers, and how webhooks deliver them.`,
    main,
    outline: onThisPage(['types', 'Types'], ['headers', 'Headers of every delivery']),
  });
};
