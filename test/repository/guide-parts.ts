import { readdirSync, readFileSync } from 'node:fs';
import { buildSync } from 'esbuild';
import { allRoutes, type OperationId } from '../../functions/groups.ts';
import { type AlarmId, alarmSpecs, sectionOf, type Urgency } from '../../lib/alarms.ts';
import { type ConfigurationKey, configurationKeys } from '../../lib/configuration.ts';
import { metricNames, metricSpecOf } from '../../lib/metrics.ts';
import { errorTable } from '../../openapi/errors.ts';
import { operationWords } from '../../openapi/words/all.ts';
import { apiPrefix } from '../../shared/core/routes.ts';
import { scopeGroups } from '../../shared/core/scopes.ts';
import { orderStatuses } from '../../shared/domain/enumerations.ts';
import { eventTypes } from '../../shared/domain/event/types.ts';
import { mayBecome } from '../../shared/domain/order/rules.ts';
import { nextAttempt } from '../../shared/webhooks/outcome.ts';
import { productionPolicy } from '../../shared/webhooks/policy.ts';
import { table } from '../support/marked-tables.ts';
import { languages } from '../verify-samples/languages.ts';

/** Minutes to wait before each attempt; 0 for the first. */
const waits: number[] = [0];
for (let next = nextAttempt(1, 0, productionPolicy); next; next = nextAttempt(waits.length, 0, productionPolicy))
  waits.push(next.atMs / 60_000);

/** Minutes from the first attempt to each attempt, if every attempt fails at once. */
const starts = waits.map((_, at) => waits.slice(0, at + 1).reduce((sum, wait) => sum + wait));

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
const inWords = (minutes: number): string => (minutes % 60 === 0 ? counted(minutes / 60, 'hour') : counted(minutes, 'minute'));
const inShort = (minutes: number): string =>
  [...(minutes >= 60 ? [`${Math.floor(minutes / 60)} h`] : []), ...(minutes % 60 > 0 ? [`${minutes % 60} min`] : [])].join(' ');

const code = (text: string): string => `\`${text}\``;
const listed = (names: readonly string[]): string => names.map(code).join(', ');
/** `quick_sale`: `Quick sales`. Stock has no plural. */
const heading = (noun: string): string => {
  const words = `${noun.slice(0, 1).toUpperCase()}${noun.slice(1).replace('_', ' ')}`;
  return noun === 'inventory' ? words : `${words}s`;
};
/** `Create an order`: `an order`. */
const created = (summary: string): string => summary.replace(/^\w+ /, '');

const fence = (language: string, file: string): string => {
  const name = file.split('/').at(-1);
  return `\`\`\`${language} ${name} verify\n${readFileSync(file, 'utf8')}\`\`\``;
};
const fenceLanguages: Readonly<Record<string, string>> = { PHP: 'php', Ruby: 'ruby', Go: 'go', 'C#': 'csharp', Java: 'java' };

const description = `${waits.length} attempts with waits of ${waits.slice(1).map(inWords).join(', ')}: at least ${inShort(starts.at(-1) ?? 0)} in all`;

const urgencies: readonly Urgency[] = ['Now', 'Today', 'Workday'];
/** The most urgent alarms first, each with a link to its section. */
const alarmRows = urgencies.flatMap((urgency) =>
  (Object.keys(alarmSpecs) as AlarmId[])
    .filter((id) => alarmSpecs[id].urgency === urgency)
    .map((id) => [urgency, `[${code(id)}](#${sectionOf(id)})`, alarmSpecs[id].description]),
);

const configurationRows = Object.entries(configurationKeys as Readonly<Record<string, ConfigurationKey>>).map(([name, key]) => [
  `${code(name)}${key.spelled ? ` (${key.spelled})` : ''}`,
  key.form,
  key.default.replace('<region>', '&lt;region&gt;'),
  key.price ?? 'nothing',
]);

const metricRows = metricNames.map((name) => {
  const { dimension, unit, description } = metricSpecOf(name);
  return [name, listed(dimension?.values ?? []), unit === 'Milliseconds' ? 'ms' : '', description];
});

/** The decisions by number, with the titles of their pages. */
const decisionRows = readdirSync('docs/decisions')
  .filter((file) => /^\d/.test(file))
  .sort()
  .map((file) => {
    const [, number, title = ''] = /^# (\d{4}) · (.+)$/m.exec(readFileSync(`docs/decisions/${file}`, 'utf8')) ?? [];
    return [`[${number}](${file})`, title];
  });

/** The statuses that may follow each status of an order. */
const statusRows = orderStatuses.map((from) => {
  const next = orderStatuses.filter((to) => to !== from && mayBecome(from, to));
  return [code(from), next.length === orderStatuses.length - 1 ? 'any' : listed(next) || 'none: it is final'];
});

/** Generated parts of pages, by page and by name of the part. */
export const guideParts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/runbook.md': { alarms: table(['Urgency', 'Alarm', 'It says'], alarmRows) },
  'docs/configuration.md': { keys: table(['Key', 'Value', 'Without it', 'Costs'], configurationRows) },
  'docs/observability.md': { metrics: table(['Metric', 'By', 'Unit', 'What'], metricRows) },
  'docs/decisions/README.md': { decisions: table(['', 'Decision'], decisionRows) },
  'docs/guides/authentication.md': {
    groups: table(
      ['Group', 'Scopes'],
      Object.entries(scopeGroups).map(([group, scopes]) => [code(group), listed(scopes)]),
    ),
  },
  'docs/guides/errors.md': { codes: errorTable(false) },
  'docs/guides/idempotency.md': {
    endpoints: table(
      ['Endpoint', 'Creates'],
      allRoutes
        .filter(({ idempotent }) => idempotent)
        .map(({ operation, method, path }) => [code(`${method} ${path}`), created(operationWords[operation as OperationId].summary)]),
    ),
  },
  'docs/guides/orders-and-payments.md': { statuses: table(['Status', 'May become'], statusRows) },
  'docs/guides/webhooks.md': {
    events: table(
      ['About', 'Events'],
      [...Map.groupBy(eventTypes, (type) => type.split('.')[0] ?? '')].map(([noun, types]) => [heading(noun), listed(types)]),
    ),
    'verify samples': languages
      .map(({ name, sample, handler, framework }) => {
        const [verify, caller] = [sample, handler].map((file) => fence(fenceLanguages[name] ?? '', file));
        return `#### ${name}\n\n${verify}\n\nA handler for ${framework} calls it:\n\n${caller}`;
      })
      .join('\n\n'),
    'retry schedule': [
      `![${description}](../pictures/retry-schedule.svg)`,
      '',
      table(
        ['Attempt', 'Wait before it', 'Time since the first attempt'],
        waits.map((wait, at) => [at + 1, wait === 0 ? 'none' : inWords(wait), at === 0 ? '0' : `at least ${inShort(starts[at] ?? 0)}`]),
      ),
    ].join('\n'),
  },
};

const step = 160;
const leftMargin = 60;
const line = 62;

const attempt = (at: number): string => {
  const x = leftMargin + at * step;
  const isLast = at === waits.length - 1;
  return [
    `<circle class="attempt" cx="${x}" cy="${line}" r="16" fill="#b4532a"/>`,
    `<text x="${x}" y="${line + 5}" fill="#ffffff" font-weight="bold">${at + 1}</text>`,
    `<text class="soft" x="${x}" y="${line + 42}" fill="#5f564f">${at === 0 ? 'at once' : inShort(starts[at] ?? 0)}</text>`,
    ...(isLast ? [`<text class="soft" x="${x}" y="${line + 62}" fill="#5f564f">then failed</text>`] : []),
  ].join('\n');
};

const wait = (at: number): string => {
  const from = leftMargin + (at - 1) * step + 22;
  const to = leftMargin + at * step - 22;
  return [
    `<path class="line" d="M${from} ${line}H${to - 6}m-6 -5 6 5 -6 5" fill="none" stroke="#5f564f" stroke-width="1.5"/>`,
    `<text class="text" x="${(from + to) / 2}" y="${line - 12}" fill="#2b2521">${inWords(waits[at] ?? 0)}</text>`,
  ].join('\n');
};

/**
 * The retry schedule as a picture; its colors follow the reader's scheme if the page that shows it
 * allows styles.
 */
export const retryScheduleSvg =
  (): string => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${2 * leftMargin + (waits.length - 1) * step} 140" role="img" font-family="system-ui, sans-serif" font-size="15" text-anchor="middle">
<title>${description}</title>
<style>@media (prefers-color-scheme: dark) { .card { fill: #1d1916; stroke: #3d3630 } .text { fill: #f3ece6 } .soft { fill: #b7aca2 } .line { stroke: #b7aca2 } }</style>
<rect class="card" x="0.5" y="0.5" width="${2 * leftMargin + (waits.length - 1) * step - 1}" height="139" rx="10" fill="#ffffff" stroke="#e2dad2"/>
${waits.map((_, at) => attempt(at)).join('\n')}
${waits
  .slice(1)
  .map((_, at) => wait(at + 1))
  .join('\n')}
</svg>
`;

/** The source of the table that names method and route of each operation of the API. */
const operationTable = (): string => {
  const rows = allRoutes.map(({ operation, method, path }) => `  ${operation}: ['${method}', '${apiPrefix}${path}'],`);
  return `/** Method and route of each operation of the API. \`npm run tables\` writes this file. */
export const operations: Readonly<Record<string, readonly [method: string, route: string]>> = {
${rows.join('\n')}
};
`;
};

/** The source of the checkout page's program, as text. */
const pageScript = (): string => {
  const entryPoints = ['functions/checkout-page/browser.ts'];
  const { outputFiles } = buildSync({ entryPoints, bundle: true, minify: true, format: 'iife', target: 'es2022', write: false });
  const text = (outputFiles[0]?.text ?? '').trim().replaceAll(/[\\`]|\$\{/g, '\\$&');
  return `/** The page's program, which \`npm run tables\` builds from \`browser.ts\`. */
export const script = \`${text}\`;
`;
};

/** Generated files, by name. */
export const guideFiles: Readonly<Record<string, () => string>> = {
  'docs/pictures/retry-schedule.svg': retryScheduleSvg,
  'functions/actions/operations.ts': operationTable,
  'functions/checkout-page/script.ts': pageScript,
};
