import type { Place } from '../../pages/docs/samples.ts';
import type { Site } from '../../pages/docs/site.ts';
import type { Region } from '../../shared/core/config.ts';
import { mayVisit, replyFile, replySlash } from '../gateway/replies.ts';
import type { LocalPage, OwnHandler } from '../gateway/server.ts';

/** Returns the region's API and its demo account, with ids of its records if `wantsIds` is set. */
export type PlaceOf = (region: Region, wantsIds: boolean) => Promise<Place>;

const root = '/docs';

/**
 * Serves guides and reference at `/docs` to users of this machine, with samples for the region in
 * the address.
 */
export const createDocsSite = (placeOf: PlaceOf): LocalPage & { readonly path: typeof root } => {
  /** Cached site, keyed by place. */
  const sites = new Map<string, { readonly likeness: string; readonly site: Promise<Site> }>();
  const siteOf = async (region: Region, wantsIds: boolean): Promise<Site> => {
    const place = await placeOf(region, wantsIds);
    const likeness = JSON.stringify(place);
    const slot = `${region} ${wantsIds}`;
    const known = sites.get(slot);
    if (known?.likeness === likeness) return known.site;
    const site = import('../../pages/docs/site.ts').then(({ openSite }) => openSite(place));
    sites.set(slot, { likeness, site });
    return site;
  };

  const handle: OwnHandler = async (path, request, response, region) => {
    if (!mayVisit(request, response)) return;
    if (path === root) return replySlash(response, path);
    const asked = path.slice(root.length + 1);
    const name = asked === '' || asked.endsWith('/') ? `${asked}index.html` : asked;
    const files = await siteOf(region, name.startsWith('reference/'));
    if (files.has(`${asked}/index.html`)) return replySlash(response, path);
    const wantsPage = /\btext\/html\b/.test(request.headers.accept ?? '');
    replyFile(response, name, await files.get(name)?.(), wantsPage ? await files.get('404.html')?.() : undefined);
  };
  return { path: root, handle };
};
