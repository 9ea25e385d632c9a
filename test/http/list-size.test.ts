import { expect, test } from '@jest/globals';
import { routeKey } from '../../shared/core/routes.ts';
import { listRoutes, listSample } from '../support/lists.ts';
import { shared } from '../support/shared.ts';
import { idsOf, openList, walkPages } from '../support/walks.ts';
import { startWorld } from '../support/world.ts';

/**
 * In every list, a page ends at `limit` records or before its response would exceed 1 MB (decisions
 * §3).
 */
const maxBytes = 1_000_000;

const world = shared(startWorld);

const heaviest = ['six bytes a character once it is JSON', '\u0001'.repeat(20_000), 15] as const;
const texts = [['one byte a character', 'x'.repeat(20_000), 70], ['four bytes a character', '🍰'.repeat(5_000), 70], heaviest] as const;

/**
 * All lists measure records with the same code. So one list is tested with every kind of text, and
 * the others with the largest kind.
 */
const cases = listRoutes
  .filter((route) => listSample(route).holdsText ?? true)
  .flatMap((route, i) =>
    (i === 0 ? texts : [heaviest]).flatMap(([kind, text, count]) =>
      (route.keys === 'any' ? (['secret', 'publishable'] as const) : (['secret'] as const)).map((type) => ({
        title: `${routeKey(route)} with a ${type} key and texts of ${kind}`,
        ...{ route, text, count, type },
      })),
    ),
  );

test.each(cases)(
  '$title: a page ends before its response would exceed 1 MB, and the rest follows',
  async ({ route, text, count, type }) => {
    const { fill, shows = () => true, most = count } = listSample(route);
    const owner = await openList(world, route);
    const shown = (await fill(owner, Math.min(most, count), text)).filter((record) => shows(record, type));
    const pages = await walkPages(owner, route, 'limit=100', { key: await world.createKey(owner.account, { type }) });
    const sizes = pages.map((page) => Buffer.byteLength(page.text));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(maxBytes);
    expect(sizes[0]).toBeGreaterThan(0.85 * maxBytes);
    expect(idsOf(pages).sort()).toEqual(shown.map(({ id }) => id).sort());
  },
);
