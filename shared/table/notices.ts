import { isoFromMs } from '../core/time.ts';
import type { Notice } from '../domain/account/notice.ts';
import type { Db, Item } from './client.ts';
import { exists, expr, update } from './expressions.ts';
import { indexEntry, isExpired, nowSeconds, ownerOf, partition, retentionSeconds } from './keys.ts';
import { type Page, type PageRequest, queryMerged, queryPages } from './page.ts';
import { dueIndex, indexKeys } from './schema.ts';
import { sendUpdate, type Write } from './write.ts';

/** Notices to the platform team. A notice that was not sent yet is in the due index. */
export interface Notices {
  /** Whether the deployment has the context key `notices`. Without it, nothing is written. */
  readonly isOn: boolean;
  /**
   * Returns the write of a notice that is sent from `dueMs` on. A repeated write stores the same
   * notice.
   */
  write(notice: Notice, dueMs: number): Write;
  /** Returns the write that removes a notice that is not due yet. */
  withdraw(notice: Notice): Write;
  /** Reads the notices that are due and not sent, earliest first. The index may lag. */
  due(byMs: number): AsyncGenerator<readonly Notice[]>;
  /** Marks a notice as sent. Its record is kept for 30 days. */
  markSent(notice: Notice): Promise<void>;
  /** Lists notices that are due or sent, newest first. */
  list(account: string, page: PageRequest): Promise<Page<Notice>>;
}

const waiting = partition('due', 'notices');
const due = indexKeys(dueIndex);
const keyOf = ({ account, id }: Notice) => ({ pk: partition('notice', account), sk: id });
const decode = ({ pk, sk, view }: Item): Notice => ({
  ...(view as Omit<Notice, 'id' | 'account'>),
  id: String(sk),
  account: ownerOf(String(pk)),
});

export const openNotices = (db: Db): Notices => ({
  isOn: db.notices,
  write: (notice, dueMs) => {
    const { id: _, account: __, ...view } = notice;
    const expires_at = nowSeconds(Math.max(dueMs, db.clock.now())) + retentionSeconds('notice');
    const entry = indexEntry(dueIndex, waiting, isoFromMs(dueMs));
    return { item: { Put: { TableName: db.table, Item: { ...keyOf(notice), view, expires_at, ...entry } } } };
  },
  withdraw: (notice) => ({ item: { Delete: { TableName: db.table, Key: keyOf(notice) } } }),
  async *due(byMs) {
    const range = (sk: Parameters<typeof expr>[1]) => expr`${sk} <= ${isoFromMs(byMs)}`;
    for await (const { Items = [] } of queryPages(db, { index: dueIndex, partition: waiting, range })) yield Items.map(decode);
  },
  async markSent(notice) {
    await sendUpdate(db, update(db.table, keyOf(notice), { remove: [due.pk, due.sk], where: exists }));
  },
  async list(account, page) {
    const home = partition('notice', account);
    const nowMs = db.clock.now();
    const isShown = (item: Item) => !isExpired(item, nowMs) && String(item[due.sk] ?? '') <= isoFromMs(nowMs);
    const { records, next } = await queryMerged(
      db,
      { partitions: [home], home, isGone: (item) => isExpired(item, nowMs), keep: isShown },
      page,
    );
    return { records: records.map(decode), ...(next && { next }) };
  },
});
