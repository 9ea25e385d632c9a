import type { SampleTarget } from '../../pages/docs/samples.ts';
import type { Site } from '../../pages/docs/site.ts';
import type { Region } from '../../shared/core/config.ts';
import { mayVisit, replyFile, replySlash } from '../gateway/replies.ts';
import type { LocalPage, OwnHandler } from '../gateway/server.ts';

/** Returns the region's API and its demo account, with ids of its records if `wantsIds` is set. */
export type FindSampleTarget = (region: Region, wantsIds: boolean) => Promise<SampleTarget>;

const root = '/docs';

/**
 * Serves guides and reference at `/docs` to users of this machine, with samples for the region in
 * the address.
 */
export const createDocsSite = (findSampleTarget: FindSampleTarget): LocalPage & { readonly path: typeof root } => {
  /** Cached site, keyed by place. */
  const sites = new Map<string, { readonly likeness: string; readonly site: Promise<Site> }>();
  const siteOf = async (region: Region, wantsIds: boolean): Promise<Site> => {
    const target = await findSampleTarget(region, wantsIds);
    const likeness = JSON.stringify(target);
    const slot = `${region} ${wantsIds}`;
    const known = sites.get(slot);
    if (known?.likeness === likeness) return known.site;
    const site = import('../../pages/docs/site.ts').then(({ openSite }) => openSite(target));
    sites.set(slot, { likeness, site });
    return site;
  };

  const handle: OwnHandler = async (path, request, response, region) => {
    if (!mayVisit(request, response)) return;
    if (path === root) return replySlash(response, path);
    const requestedPath = path.slice(root.length + 1);
    const name = requestedPath === '' || requestedPath.endsWith('/') ? `${requestedPath}index.html` : requestedPath;
    const files = await siteOf(region, name.startsWith('reference/'));
    if (files.has(`${requestedPath}/index.html`)) return replySlash(response, path);
    const wantsPage = /\btext\/html\b/.test(request.headers.accept ?? '');
    replyFile(response, name, await files.get(name)?.(), wantsPage ? await files.get('404.html')?.() : undefined);
  };
  return { path: root, handle };
};
