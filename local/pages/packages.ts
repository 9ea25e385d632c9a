import { findPackageJSON } from 'node:module';
import { ApiError } from '../../shared/core/errors.ts';
import { mayVisit, pageHeaders, replyJson } from '../gateway/replies.ts';
import type { LocalPage } from '../gateway/server.ts';

/** The development packages that make each page. `npm ci --omit=dev` leaves them out. */
export const pagePackages = {
  '/docs': ['beautiful-mermaid', 'esbuild', 'highlight.js', 'marked', 'minisearch'],
  '/developers': ['esbuild', 'preact'],
} as const;

/** The address of a page that is made at its first visit. */
export type PagePath = keyof typeof pagePackages;

const isInstalled = (name: string): boolean => {
  try {
    return findPackageJSON(name, import.meta.url) !== undefined;
  } catch {
    return false;
  }
};

const missingPackages = (path: PagePath): readonly string[] => pagePackages[path].filter((name) => !isInstalled(name));

/** Returns the pages whose packages are installed. */
export const availablePages = (): readonly PagePath[] =>
  (Object.keys(pagePackages) as PagePath[]).filter((path) => missingPackages(path).length === 0);

/** Returns the page; if packages of it are missing, a page that returns 404 with the command to run. */
export const ifInstalled = (page: LocalPage & { readonly path: PagePath }): LocalPage => {
  const packages = missingPackages(page.path);
  if (packages.length === 0) return page;
  const message = `This page needs packages that are not installed: ${packages.join(', ')}. Stop the service, then run: npm ci --include=dev && npm start`;
  const { body } = new ApiError('not_found', message);
  return {
    path: page.path,
    handle: async (_path, request, response) => {
      if (mayVisit(request, response)) replyJson(response, 404, body, pageHeaders);
    },
  };
};
