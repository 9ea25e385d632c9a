import { type Region, regions } from '../../shared/core/config.ts';
import { openSite, type Site } from './site.ts';

/** Host names of the regions of a deployment. Empty if they are unknown: the site then has those of the examples. */
export type Hosts = Readonly<Partial<Record<Region, string>>>;

const isText = (name: string): boolean => /\.(html|json|md|txt)$/.test(name);

/** Placeholder of the guides for the domain below which a region's host is. */
const placeholder = /\{region\}\.<api-domain>|\b(us|au|eu)\.<api-domain>/g;
/** The expression of the guide on regions that makes a host from a key. */
const hostFromKey = /\$\{(key\.[^}]+)\}\.api\.example\.com/g;
/** A row of the guide on regions. */
const regionRow = /^\| `(us|au|eu)` \| `https:.*\n/gm;

/**
 * Returns two functions that replace the hosts of the examples: in the Markdown of a guide, and in any
 * other text. A region that is not deployed gets the host of the first, but has no row in the guide on
 * regions. Keys of the examples belong to a deployed region.
 */
const replacing = (hosts: Hosts): Readonly<Record<'inGuide' | 'inText', (text: string) => string>> => {
  const [first] = regions.filter((region) => hosts[region]);
  const firstHost = first && hosts[first];
  if (!firstHost) return { inGuide: (text) => text, inText: (text) => text };
  // A stage is the first label of its hosts: staging.us.api.example.com.
  const [, stage = '', domain = ''] = new RegExp(`^(.*?)\\b${first}\\.(.+)$`).exec(firstHost) ?? [];
  const haveOneDomain = Object.entries(hosts).every(([region, host]) => host === `${stage}${region}.${domain}`);
  const list = Object.entries(hosts).map(([region, host]) => `${region}: '${host}'`);
  return {
    inGuide: (text) =>
      text
        .replaceAll(regionRow, (row, region: Region) => (hosts[region] ? row : ''))
        .replaceAll(placeholder, (found, region?: Region) => {
          if (region) return hosts[region] ?? firstHost;
          return haveOneDomain ? `${stage}{region}.${domain}` : found;
        })
        .replaceAll(hostFromKey, (_, part: string) =>
          haveOneDomain ? `${stage}\${${part}}.${domain}` : `\${{ ${list.join(', ')} }[${part}]}`,
        ),
    inText: (text) =>
      text
        .replaceAll(/\b(us|au|eu)\.api\.example\.com/g, (_, region: Region) => hosts[region] ?? firstHost)
        .replaceAll('api.example.com', domain)
        .replaceAll(/(svc_[sp]k_live_)us_…/g, hosts.us ? '$&' : `$1${first}_…`),
  };
};

interface Server {
  readonly url: string;
  readonly description: string;
}

/** Returns an OpenAPI document whose servers are the deployed regions and the local service. */
const withServers = (text: string, hosts: Hosts): string => {
  const document: { servers: Server[] } = JSON.parse(text);
  const [, local] = document.servers;
  const deployed = Object.entries(hosts).map(([region, host]) => ({ url: `https://${host}/api/v2`, description: `Region ${region}.` }));
  if (deployed.length > 0) document.servers = [...deployed, ...(local ? [local] : [])];
  return `${JSON.stringify(document, null, 2)}\n`;
};

const sitemap = (pages: readonly string[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...pages.map((page) => `<url><loc>${page}</loc></url>`),
    '</urlset>\n',
  ].join('\n');

/**
 * Opens the site for the root of a host of its own: with the addresses of the deployed regions, with
 * absolute links in llms.txt, and with sitemap.xml and robots.txt. `address` has no slash at its end.
 */
export const openPublishedSite = async (address: string, hosts: Hosts): Promise<Site> => {
  const { inGuide, inText } = replacing(hosts);
  const site = await openSite(undefined, inGuide);
  const files = [...site].map(([name, make]) => {
    const published = async (): Promise<Buffer> => {
      const bytes = await make();
      if (!isText(name)) return bytes;
      const text = /^openapi.*\.json$/.test(name) ? withServers(String(bytes), hosts) : String(bytes);
      return Buffer.from(inText(name === 'llms.txt' ? text.replaceAll(/\]\((?!https?:)/g, `](${address}/`) : text));
    };
    return [name, published] as const;
  });
  const pages = [...site.keys()].filter((name) => /(^|\/)index\.html$/.test(name)).map((name) => `${address}/${name.slice(0, -10)}`);
  return new Map([
    ...files,
    ['sitemap.xml', async () => Buffer.from(sitemap(pages))],
    ['robots.txt', async () => Buffer.from(`User-agent: *\nAllow: /\nSitemap: ${address}/sitemap.xml\n`)],
  ]);
};
