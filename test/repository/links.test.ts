import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from '@jest/globals';

const files = globSync(['*.md', 'docs/**/*.md', 'clients/*/README.md', 'examples/**/README.md', '.github/*.md']).sort();

/** Returns the text without fenced code: brackets in code are not links. */
const proseOf = (file: string): string => readFileSync(file, 'utf8').replace(/^```[\s\S]*?^```/gm, '');

/** Anchors as GitHub makes them of headings, repeated headings included. */
const anchorsOf = (file: string): ReadonlySet<string> => {
  const counts = new Map<string, number>();
  const anchors = [...proseOf(file).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const repeated = counts.get(anchor) ?? 0;
    counts.set(anchor, repeated + 1);
    return repeated === 0 ? anchor : `${anchor}-${repeated}`;
  });
  return new Set(anchors);
};

test.each(files)('%s: every relative link leads to a file and a heading, and every picture is there', (file) => {
  const links = [...proseOf(file).matchAll(/\]\(([^)\s]+)\)|\bsrc(?:set)?="([^"]+)"/g)]
    .map(([, href, picture = '']) => href ?? picture)
    .filter((href) => !/^(https?|mailto):/.test(href));
  const broken = links.filter((href) => {
    const [path = '', anchor] = href.split('#');
    const target = path === '' ? file : posix.join(posix.dirname(file), path);
    return !existsSync(target) || (anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor));
  });
  expect(broken).toEqual([]);
});
