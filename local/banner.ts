import type { StartOptions } from './options.ts';
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
  const authorization = `-H 'Authorization: Bearer ${secretKey}'`;
  const json = "-H 'Content-Type: application/json'";
  const expense = `'{"amount": 12.5, "date": "${today}", "category": "ingredients", "description": "Yeast"}'`;
  const url = allowLoopbackWebhooks ? 'http://127.0.0.1:8080/hook' : 'https://example.com/hook';
  const webhook = `'{"url": "${url}", "events": ["expense.created"]}'`;
  return [
    `curl ${origin}/api/v2/webhooks ${authorization} ${json} -d ${webhook}`,
    `curl ${origin}/api/v2/expenses ${authorization} ${json} -d ${expense}`,
    `curl ${origin}/api/v2/checkout -H 'Authorization: Bearer ${publishableKey}' ${json} -d '${cart(account, today)}'`,
  ];
};

/**
 * Returns the text for a person once the service is ready: address, keys and three commands to try.
 */
export const banner = (runtime: Pick<Runtime, 'port' | 'regions' | 'urls' | 'demo'>, options: BannerOptions): string => {
  const { port, regions, urls, demo } = runtime;
  const first = regions.find((region) => demo[region]);
  const lines = [`Bakery Commerce is ready on port ${port}.`, ''];
  for (const region of regions) {
    const account = demo[region];
    lines.push(`  ${region}  http://${region}.localhost:${port}/api/v2   or   ${urls[region]}/api/v2`);
    if (account) {
      lines.push(`      ${account.name} (${account.account})`);
      lines.push(`      secret key       ${account.secretKey}`);
      lines.push(`      publishable key  ${account.publishableKey}`);
    }
  }
  lines.push(
    '',
    options.dataDir === undefined ? 'Nothing is kept: the state is in memory only.' : `State and service.log are in ${options.dataDir}.`,
  );
  if (options.timeScale !== 1) lines.push(`Waits between delivery attempts are ${options.timeScale} times shorter.`);
  lines.push(
    options.allowLoopbackWebhooks
      ? 'Webhook URLs may be http:// and point at this machine.'
      : 'Webhook URLs must be public and https://; add --allow-loopback-webhooks to try a receiver on this machine.',
  );
  lines.push(`Guides and reference: http://127.0.0.1:${port}/docs`);
  if (first) lines.push('Search tokens are for a stand-in of Typesense, at the same addresses.');
  if (options.allowLoopbackWebhooks)
    lines.push(`Events as they happen: npm run --silent ops -- listen${port === 4000 ? '' : ` --port ${port}`}`);
  lines.push(`Keys, webhooks and deliveries in a browser: http://127.0.0.1:${port}/developers`);
  const account = first && demo[first];
  if (account) {
    lines.push('', 'Try:', '');
    for (const command of commands(urls[first], account, options)) lines.push(`  ${command}`, '');
    lines.push('The last one answers with the url of a checkout page: open it in a browser and pay with card 4242 4242 4242 4242.', '');
  } else {
    lines.push('', 'There are no demo accounts; make one with: npm run --silent ops -- account.create --help', '');
  }
  return `${lines.join('\n')}\n`;
};
