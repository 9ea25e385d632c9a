import { describe, expect, it } from '@jest/globals';
import { readPages } from './reader.ts';

const list = (length: number) => (cursor: string | null) => {
  const position = Number(cursor ?? 0);
  const isLast = position === length - 1;
  return Promise.resolve({
    data: [{ id: `evt_${position}` }],
    pagination: { has_more: !isLast, next_cursor: isLast ? null : String(position + 1) },
  });
};

describe('the reader of lists', () => {
  it('the reader reads a list of many pages to its last one', async () => {
    const pages = await readPages(list(500));
    expect(pages?.length).toBe(500);
    expect(pages?.at(-1)).toEqual({ ids: ['evt_499'], hasMore: false, cursor: null });
  });

  it('the reader ends at a cursor that comes back', async () => {
    const endless = () => Promise.resolve({ data: [], pagination: { has_more: true, next_cursor: 'same' } });
    expect(await readPages(endless)).toEqual([
      { ids: [], hasMore: true, cursor: 'same' },
      { ids: [], hasMore: true, cursor: 'same' },
    ]);
  });

  it('the reader ends at a page that says that more follow, and has no cursor', async () => {
    const broken = () => Promise.resolve({ data: [], pagination: { has_more: true, next_cursor: null } });
    expect((await readPages(broken))?.length).toBe(1);
  });

  it('records nothing if a page fails', async () => {
    expect(await readPages(() => Promise.resolve(undefined))).toBeUndefined();
  });
});
