import type { StartOptions } from './options.ts';
import type { PagePath } from './pages/packages.ts';
import type { Runtime } from './runtime.ts';
import { type DemoAccount, nextOpenDay } from './seed.ts';

interface BannerOptions extends Pick<StartOptions, 'dataDir' | 'allowLoopbackWebhooks' | 'timeScale'> {
  /** YYYY-MM-DD */
  readonly today: string;
}

const cart = ({ product }: DemoAccount, today: string): string =>
  JSON.stringify({
    items: [{ product_id: product, quantity: 2 }],
    delivery_date: nextOpenDay(today),
    delivery_time: '08:00',
    success_url: 'https://example.com/thanks',
    cancel_url: 'https://example.com/cart',
  });

const commands = (origin: string, account: DemoAccount, { allowLoopbackWebhooks, today }: BannerOptions): readonly string[] => {
  const { secretKey, publishableKey } = account;
  const expense = `{"amount": 12.5, "date": "${today}", "category": "ingredients", "description": "Yeast"}`;
  const url = allowLoopbackWebhooks ? 'http://127.0.0.1:8080/hook' : 'https://example.com/hook';
  const webhook = `{"url": "${url}", "events": ["expense.created"]}`;
  // PowerShell knows no backslash at a line's end.
  const next = process.platform === 'win32' ? ' ' : ' \\\n    ';
  const call = (path: string, key: string, body: string) =>
    [`curl ${origin}/api/v2${path}`, `-H 'Authorization: Bearer ${key}'`, "-H 'Content-Type: application/json'", `-d '${body}'`].join(next);
  return [
    call('/webhooks', secretKey, webhook),
    call('/expenses', secretKey, expense),
    call('/checkout', publishableKey, cart(account, today)),
  ];
};

/** How a terminal shows words. */
export interface Paint {
  bold(text: string): string;
  good(text: string): string;
}
const plain: Paint = { bold: (text) => text, good: (text) => text };

/** Returns colors for a terminal; none for a pipe or with NO_COLOR. */
export const terminalPaint = (isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Paint =>
  isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
    ? { bold: (text) => `\x1b[1m${text}\x1b[0m`, good: (text) => `\x1b[1;32m${text}\x1b[0m` }
    : plain;

const pageTitles: Readonly<Record<PagePath, string>> = { '/docs': 'Docs           ', '/developers': 'Developers page' };

const addressesOf = ({ port, regions, urls, pages }: Pick<Runtime, 'port' | 'regions' | 'urls' | 'pages'>): readonly string[] => [
  ...pages.map((path) => `  ${pageTitles[path]}   http://127.0.0.1:${port}${path}`),
  ...regions.map((region) => `  API ${region}            ${urls[region]}/api/v2   or   http://${region}.localhost:${port}/api/v2`),
];

const accountsOf = ({ regions, demo }: Pick<Runtime, 'regions' | 'demo'>, { bold }: Paint): readonly string[] =>
  regions.flatMap((region) => {
    const account = demo[region];
    if (!account) return [];
    const { name, account: id, secretKey, publishableKey } = account;
    return [
      '',
      `${bold(`Demo account ${region}:`)} ${name} (${id})`,
      `  secret key       ${secretKey}`,
      `  publishable key  ${publishableKey}`,
    ];
  });

const notesOf = ({ dataDir, timeScale, allowLoopbackWebhooks }: BannerOptions, port: number, hasDemo: boolean): readonly string[] => [
  dataDir === undefined ? 'Nothing is kept: the state is in memory only.' : `State and service.log are in ${dataDir}.`,
  ...(timeScale === 1 ? [] : [`Waits between delivery attempts are ${timeScale} times shorter.`]),
  ...(allowLoopbackWebhooks
    ? [
        'Webhook URLs may be http:// and point at this machine.',
        `Print events as they happen: npm run --silent ops -- listen${port === 4000 ? '' : ` --port ${port}`}`,
      ]
    : ['Webhook URLs must be public and https://; add --allow-loopback-webhooks to try a receiver on this machine.']),
  ...(hasDemo ? ['Search tokens are for a stand-in of Typesense, at the same addresses.'] : []),
];

/**
 * Returns the text for a person once the service is ready: addresses, then keys, notes, and last
 * three commands to try.
 */
export const banner = (
  runtime: Pick<Runtime, 'port' | 'regions' | 'urls' | 'demo' | 'pages'>,
  options: BannerOptions,
  paint: Paint = plain,
): string => {
  const { port, regions, urls, demo } = runtime;
  const first = regions.find((region) => demo[region]);
  const account = first && demo[first];
  const samples = account
    ? [
        paint.bold('Try:'),
        '',
        ...commands(urls[first], account, options).flatMap((command) => [`  ${command}`, '']),
        'The response of the last one has the url of a checkout page. Open it in a browser and pay with card 4242 4242 4242 4242.',
      ]
    : ['There are no demo accounts. Create one: npm run --silent ops -- account.create --help'];
  const lines = [
    `Bakery Commerce is ${paint.good('ready')} on port ${port}.`,
    '',
    ...addressesOf(runtime),
    ...accountsOf(runtime, paint),
    '',
    ...notesOf(options, port, account !== undefined),
    '',
    ...samples,
    '',
  ];
  return `${lines.join('\n')}\n`;
};
