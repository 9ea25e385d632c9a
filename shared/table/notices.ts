import { isoFromMs } from '../core/time.ts';
import type { Notice } from '../domain/account/notice.ts';
import type { Db, Item } from './client.ts';
import { exists, expr } from './expressions.ts';
import { expiryOf, indexEntry, isExpired, ownerOf, partition } from './keys.ts';
import { type Page, type PageRequest, queryPages } from './page.ts';
import { readListPage } from './plan.ts';
import { dueIndex, indexKeys } from './schema.ts';
import { deleteItem, putItem, sendAlone, updateItem } from './write.ts';

const waiting = partition('due', 'notices');
const due = indexKeys(dueIndex);
const keyOf = ({ account, id }: Notice) => ({ pk: partition('notice', account), sk: id });
const decode = ({ pk, sk, view }: Item): Notice => ({
  ...(view as Omit<Notice, 'id' | 'account'>),
  id: String(sk),
  account: ownerOf(String(pk)),
});

/** Notices to the platform team. A notice that was not sent yet is in the due index. */
export const openNotices = (db: Db) => ({
  /** Whether the deployment has the context key `notices`. Without it, nothing is written. */
  isOn: db.notices,
  /**
   * Returns the write of a notice that is sent from `dueMs` on. A repeated write stores the same
   * notice.
   */
  write(notice: Notice, dueMs: number) {
    const { id: _, account: __, ...view } = notice;
    const expires_at = expiryOf('notice', Math.max(dueMs, db.clock.now()));
    return putItem(db, { ...keyOf(notice), view, expires_at, ...indexEntry(dueIndex, waiting, isoFromMs(dueMs)) });
  },
  /** Returns the write that removes a notice that is not due yet. */
  withdraw: (notice: Notice) => deleteItem(db, keyOf(notice)),
  /** Reads the notices that are due and not sent, earliest first. The index may lag. */
  async *due(byMs: number): AsyncGenerator<readonly Notice[]> {
    const range = (sk: Parameters<typeof expr>[1]) => expr`${sk} <= ${isoFromMs(byMs)}`;
    for await (const { Items = [] } of queryPages(db, { index: dueIndex, partition: waiting, range })) yield Items.map(decode);
  },
  /** Marks a notice as sent. Its record is kept for 30 days. */
  async markSent(notice: Notice) {
    await sendAlone(db, updateItem(db, keyOf(notice), { remove: [due.pk, due.sk], where: exists }));
  },
  /** Lists notices that are due or sent, newest first. */
  list(account: string, page: PageRequest): Promise<Page<Notice>> {
    const nowMs = db.clock.now();
    const isGone = (item: Item) => isExpired(item, nowMs);
    const keep = (item: Item) => !isGone(item) && String(item[due.sk] ?? '') <= isoFromMs(nowMs);
    return readListPage(db, { partitions: [partition('notice', account)], isGone, keep, decode }, page);
  },
});

export type Notices = ReturnType<typeof openNotices>;
