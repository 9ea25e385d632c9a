import * as v from 'valibot';
import { type Cursor, decodeCursor, encodeCursor } from '../../shared/core/cursor.ts';
import { ApiError } from '../../shared/core/errors.ts';
import { record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import { maskSecrets, type Settings } from '../../shared/domain/account/settings.ts';
import { isExpired } from '../../shared/table/keys.ts';
import type { AccountAction, ActionServices } from './action.ts';
import { placeOf, type Section, sectionNames, sectionsOf } from './export-sections.ts';
import { budgetMs, inParallel } from './in-steps.ts';
import { accountView, keyView } from './views.ts';

const input = record({ id: v.exactOptional(requiredText()), cursor: v.exactOptional(v.nullable(requiredText(10_000))) });

/** A function answers with at most 6 MB; the last record may pass this by itself. */
const maxPageBytes = 4_000_000;
const recordsAtOnce = 100;

const startOf = (account: Account, cursor: string | null | undefined): Cursor | undefined => {
  if (cursor == null) return undefined;
  const start = decodeCursor(cursor);
  if (start?.fingerprint !== account.id) throw new ApiError('invalid_cursor', 'Invalid cursor', { field: 'cursor' });
  return start;
};

/** What the document has once. */
const head = async ({ store }: ActionServices, account: Account) => {
  const [settings, keys] = await Promise.all([store.accounts.getSettings(account.id), store.apiKeys.list(account.id)]);
  return { account: accountView(account), settings: maskSecrets(settings as Settings), keys: keys.map(keyView) };
};

interface Page {
  readonly lists: Readonly<Record<string, object[]>>;
  /** The last record shown, where more follow. */
  readonly end: { readonly position: string; readonly id: string } | undefined;
}

const readPage = async ({ store, clock }: ActionServices, account: string, start: Cursor | undefined, room: number): Promise<Page> => {
  const lists = Object.fromEntries(sectionNames.map((name): [string, object[]] => [name, []]));
  const deadlineMs = clock.now() + budgetMs;
  let bytes = 0;
  const readSection = async (section: Section): Promise<Page['end']> => {
    const position = placeOf(section);
    let after = start?.position === position ? start.id : undefined;
    for (;;) {
      const { items, next } = await store.holdings.page(account, section.holding, after, recordsAtOnce);
      const kept = items.filter((item) => !isExpired(item, clock.now()));
      const views = await inParallel(kept, async (item) => section.view(store, account, item));
      for (const [i, view] of views.entries()) {
        lists[section.name]?.push(view);
        bytes += Buffer.byteLength(JSON.stringify(view)) + 1;
        if (bytes > room || clock.now() > deadlineMs) return { position, id: String(kept[i]?.['sk']) };
      }
      if (next === undefined) return undefined;
      after = next;
    }
  };
  for (const section of await sectionsOf(store, account)) {
    if (start && placeOf(section) < start.position) continue;
    const end = await readSection(section);
    if (end) return { lists, end };
  }
  return { lists, end: undefined };
};

export const exportAccount: AccountAction<typeof input> = {
  summary: 'Gives everything an account holds, in pages of 4 MB; ops puts them together unless a cursor is given.',
  account: 'self',
  input,
  async read(services, { cursor }, account) {
    const start = startOf(account, cursor);
    const once = start ? {} : await head(services, account);
    const room = maxPageBytes - Buffer.byteLength(JSON.stringify(once));
    const { lists, end } = await readPage(services, account.id, start, room);
    return {
      exported_at: isoFromMs(services.clock.now()),
      ...once,
      ...lists,
      has_more: end !== undefined,
      next_cursor: end ? encodeCursor({ fingerprint: account.id, ...end }) : null,
    };
  },
};
