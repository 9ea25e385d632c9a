import { describe, expect, test } from '@jest/globals';
import { type Hosts, openPublishedSite } from '../../pages/docs/published.ts';
import { textOf } from './page.ts';

const address = 'https://docs.shop.example';
const filesOf = async (hosts: Hosts): Promise<ReadonlyMap<string, string>> => {
  const site = [...(await openPublishedSite(address, hosts))].filter(([name]) => !name.endsWith('.png'));
  return new Map(await Promise.all(site.map(async ([name, make]) => [name, String(await make())] as const)));
};
const hostsOf = (prefix: string) => ({ us: `${prefix}us.shop.example`, au: `${prefix}au.shop.example`, eu: `${prefix}eu.shop.example` });
const [production, stage, onlyEu, unknown, twoDomains] = await Promise.all(
  [hostsOf(''), hostsOf('staging.'), { eu: 'eu.shop.example' }, {}, { us: 'us.shop.example', eu: 'eu.other.example' }].map(filesOf),
);
const serversOf = (files: typeof production, name = 'openapi.json') =>
  JSON.parse(files?.get(name) ?? '').servers.map(({ url }: any) => url);

describe('the published site', () => {
  test('the sitemap of the published site lists the address of every page, and no other', () => {
    const pages = [...(production?.keys() ?? [])].filter((name) => name.endsWith('.html') && name !== '404.html');
    const listed = [...(production?.get('sitemap.xml') ?? '').matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, page]) => page);
    expect(listed.sort()).toEqual(pages.map((name) => `${address}/${name.replace(/index\.html$/, '')}`).sort());
    expect(listed).toContain(`${address}/`);
    expect(production?.get('robots.txt')).toBe(`User-agent: *\nAllow: /\nSitemap: ${address}/sitemap.xml\n`);
  });

  test('every link of the published llms.txt is absolute, and leads to a file', () => {
    const links = [...(production?.get('llms.txt') ?? '').matchAll(/\]\(([^)]+)\)/g)].map(([, href = '']) => href);
    expect(links.length).toBeGreaterThan(30);
    expect(links.filter((href) => !href.startsWith(`${address}/`) || !production?.has(href.slice(address.length + 1)))).toEqual([]);
  });

  test('no file of the published site has a host of the examples in place of a deployed one', () => {
    for (const files of [production, stage, onlyEu])
      expect([...(files ?? [])].filter(([, text]) => /api\.example\.com|api-domain/.test(text)).map(([name]) => name)).toEqual([]);
    expect(JSON.parse(production?.get('postman-au.json') ?? '').values[0].value).toBe('https://au.shop.example/api/v2');
  });

  test('the published documents name the servers of the deployed regions, and the local service', () => {
    const local = 'http://{region}.localhost:{port}/api/v2';
    for (const name of ['openapi.json', 'openapi-3.0.json']) {
      const deployed = ['us', 'au', 'eu'].map((region) => `https://${region}.shop.example/api/v2`);
      expect(serversOf(production, name)).toEqual([...deployed, local]);
      expect(serversOf(onlyEu, name)).toEqual(['https://eu.shop.example/api/v2', local]);
    }
    expect(serversOf(stage)[0]).toBe('https://staging.us.shop.example/api/v2');
  });

  test('the guide on regions names the host of each deployed region, and no other', () => {
    const rows = (files: typeof production) =>
      [...(files?.get('regions.md') ?? '').matchAll(/^\| `(\w+)` \| `https:\/\/(.+)\/api\/v2`/gm)].map(([, region, host]) => [
        region,
        host,
      ]);
    expect(rows(stage)).toEqual(Object.entries(hostsOf('staging.')));
    expect(rows(onlyEu)).toEqual([['eu', 'eu.shop.example']]);
    expect(rows(twoDomains)).toEqual([
      ['us', 'us.shop.example'],
      ['eu', 'eu.other.example'],
    ]);
    expect(onlyEu?.get('search.json')).not.toContain('North America');
  });

  test('the program of the guide on regions knows the host of each region if their domains differ', () => {
    const [, program = ''] = /```js host\.mjs\n([\s\S]*?)\nconsole/.exec(twoDomains?.get('regions.md') ?? '') ?? [];
    const hostOf: (key: string) => string = new Function(`${program}; return hostOf;`)();
    expect(['svc_sk_live_us_x', 'svc_sk_live_eu_x'].map(hostOf)).toEqual([
      'https://us.shop.example/api/v2',
      'https://eu.other.example/api/v2',
    ]);
  });

  test('the program of the guide on regions makes the host of a stage from a key', () => {
    const program = (files: typeof production) =>
      /https:\/\/[^`\n]*\.shop\.example\/api\/v2`/.exec(textOf(files?.get('regions/index.html') ?? ''))?.[0];
    const host = (prefix: string) => `https://${prefix}\${key.split('_')[3]}.shop.example/api/v2\``;
    expect([program(production), program(stage)]).toEqual([host(''), host('staging.')]);
  });

  test('the first samples of a deployment without us have a host and keys of a deployed region', () => {
    const text = onlyEu?.get('getting-started.md');
    expect(text).toContain('BAKERY_URL=https://eu.shop.example/api/v2\nexport BAKERY_API_KEY=svc_sk_live_eu_…');
    expect(text).not.toContain('svc_sk_live_us_…');
    expect(production?.get('getting-started.md')).toContain('BAKERY_API_KEY=svc_sk_live_us_…');
  });

  test('the published site of a deployment without domains has the hosts of the examples', () => {
    expect(serversOf(unknown)[0]).toBe('https://{region}.{domain}/api/v2');
    expect(unknown?.get('getting-started.md')).toContain('https://us.api.example.com/api/v2');
  });
});
