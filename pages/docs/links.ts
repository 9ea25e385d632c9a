const document = '../openapi.json';

/**
 * A link as it stands in a guide, for the site: other guides by their file, operations and events by `../openapi.json#createExpense`.
 * The same links work where the files are read as files.
 */
export const guideLink = (href: string): string => {
  const [path = '', anchor] = href.split('#');
  if (path === document) return anchor === undefined ? '/docs/reference/' : `/docs/reference/#operation/${anchor}`;
  const [, guide] = /^([a-z-]+)\.md$/.exec(path) ?? [];
  if (guide === undefined) return href;
  const slug = guide === 'getting-started' ? '' : guide;
  return `/docs/${slug}${anchor === undefined ? '' : `#${anchor}`}`;
};
