import * as v from 'valibot';
import { ApiError } from '../../shared/core/errors.ts';
import { record, recordId, requiredText } from '../../shared/core/fields.ts';
import { type Cursor, decodeCursor, encodeCursor } from '../../shared/core/paging.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import { maskSecrets } from '../../shared/domain/account/settings.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import { type Customer, customerView } from '../../shared/domain/customer/fields.ts';
import type { Expense } from '../../shared/domain/expense/fields.ts';
import { gatewayFeeId } from '../../shared/domain/expense/rules.ts';
import type { InventoryItem } from '../../shared/domain/inventory/fields.ts';
import type { Order } from '../../shared/domain/order/fields.ts';
import { type Payment, paymentPayload } from '../../shared/domain/payment/fields.ts';
import { type Product, productView } from '../../shared/domain/product/fields.ts';
import type { QuickSale } from '../../shared/domain/quick-sale/fields.ts';
import { deliveryView, endpointView } from '../../shared/domain/webhook/fields.ts';
import type { AccountPart } from '../../shared/table/account-data.ts';
import type { Item } from '../../shared/table/client.ts';
import { decodeBody, decodeDelivery } from '../../shared/table/delivery-items.ts';
import { decodeEndpoint, isEndpoint } from '../../shared/table/endpoints.ts';
import { dayOfLine, decodeLine, decodeUnbooked } from '../../shared/table/gateway-fees.ts';
import { isExpired } from '../../shared/table/keys.ts';
import { decodeRecord } from '../../shared/table/records.ts';
import { type Kind, type KindsWith, kinds } from '../../shared/table/schema.ts';
import type { Store } from '../../shared/table/store.ts';
import { withoutErased } from '../../shared/table/stored-body.ts';
import { type AccountAction, type ActionServices, budgetMs } from './action.ts';
import { accountView, expenseView, inventoryView, listKeys, orderView, quickSaleView, unbookedFeeView } from './views.ts';

const input = record({ id: v.exactOptional(recordId()), cursor: v.exactOptional(v.nullable(requiredText(10_000))) });

/**
 * Maximum size of a page in bytes. Only a record that is alone on its page may be larger; it has less
 * than 5 MB (decisions §3).
 */
const maxPageBytes = 4_000_000;
const recordsAtOnce = 100;

type ExportedKind = Exclude<Kind, KindsWith<'exported', null>>;
/** Reads that views of items make in addition. */
interface Readers {
  readonly paymentsOf: (order: string) => Promise<readonly Payment[]>;
  /** Returns an event from its stored body, without an erased person. */
  readonly eventOf: (body: string) => Promise<object>;
}
type View = (item: Item, readers: Readers) => Promise<object> | object;

const deletion = ({ deleted_at }: { readonly deleted_at?: string | null }) => (deleted_at ? { deleted_at } : {});
const viewOf =
  <Record>(view: (record: Record) => object): View =>
  (item) =>
    view(decodeRecord<Record>(item).record);

/** Fields that only the first page of the exported document contains. */
const heads = {
  account: (_store: Store, account: Account) => accountView(account),
  settings: async (store: Store, account: Account) => maskSecrets(await store.accounts.getSettings(account.id)),
  apiKey: async (store: Store, account: Account) => listKeys(store, account.id),
} as const satisfies { readonly [K in ExportedKind]?: unknown };

/**
 * The lists of the exported document, in its order. They cover every kind that the table of kinds
 * marks as exported.
 */
const views: { readonly [K in Exclude<ExportedKind, keyof typeof heads>]: View } = {
  customer: viewOf<Customer>((customer) => ({
    ...customerView(customer),
    ...(customer.erased_at === undefined ? {} : { erased_at: customer.erased_at }),
  })),
  async order(item, { paymentsOf }) {
    const { record: order } = decodeRecord<Order>(item);
    const payments = await paymentsOf(order.id);
    return { ...orderView(order), payments: payments.map(paymentPayload), ...deletion(order) };
  },
  payment: viewOf<Payment>(paymentPayload),
  product: viewOf<Product>(productView),
  expense: viewOf<Expense>((expense) => ({ ...expenseView(expense), ...deletion(expense) })),
  // The number of fees per day is unlimited, so the expense is listed without its fees.
  feeLine: (item) => ({ expense_id: gatewayFeeId(dayOfLine(item)), ...decodeLine(item) }),
  unbookedFee: (item) => unbookedFeeView(decodeUnbooked(item)),
  quickSale: viewOf<QuickSale>((sale) => ({ ...quickSaleView(sale), ...deletion(sale) })),
  inventoryItem: viewOf<InventoryItem>(inventoryView),
  checkoutSession: viewOf<CheckoutSession>(({ account: _, token: __, expires_ms, ...shown }) => ({
    ...shown,
    expires_at: isoFromMs(expires_ms),
  })),
  endpoint: (item) => endpointView(decodeEndpoint(item)),
  event: (item, { eventOf }) => eventOf(String(item['body'])),
  deliveryRecord(item) {
    const delivery = decodeDelivery(item);
    return { endpoint_id: delivery.endpoint, ...deliveryView(delivery) };
  },
};
type ListedKind = keyof typeof views;
const listedKinds = Object.keys(views) as readonly ListedKind[];

type Entry = readonly [list: string, view: object];

/**
 * Returns the entries of an item in the document. A delivery record leads to two entries if it
 * keeps its event's body. The mark of a deleted endpoint leads to none.
 */
const entriesOf = async (kind: ListedKind, item: Item, readers: Readers): Promise<readonly Entry[]> => {
  if (kind === 'endpoint' && !isEndpoint(item)) return [];
  const body = kind === 'deliveryRecord' ? decodeBody(item) : undefined;
  const own: Entry = [kinds[kind].exported, await views[kind](item, readers)];
  return body === undefined ? [own] : [own, [kinds.event.exported, await readers.eventOf(body)]];
};

const headOf = async (store: Store, account: Account): Promise<object> => {
  const members = Object.entries(heads).map(async ([kind, view]) => [kinds[kind as ExportedKind].exported, await view(store, account)]);
  return Object.fromEntries(await Promise.all(members));
};

const startOf = (account: Account, cursor: string | null | undefined): Cursor | undefined => {
  if (cursor == null) return undefined;
  const start = decodeCursor(cursor);
  if (start?.fingerprint !== account.id) throw new ApiError('invalid_cursor', 'Invalid cursor', { field: 'cursor' });
  return start;
};

/**
 * Returns the text that names a part in a cursor. It sorts in the order of the document, and it
 * stays valid if endpoints are added or removed.
 */
const positionOf = ({ kind, of = '' }: AccountPart): string =>
  `${String(listedKinds.indexOf(kind as ListedKind)).padStart(2, '0')}:${kind === 'deliveryRecord' ? of : ''}`;

interface Page {
  readonly lists: Readonly<Record<string, object[]>>;
  /** The last record of the page. Undefined if no records follow. */
  readonly end: { readonly position: string; readonly id: string } | undefined;
}

const readPage = async ({ store, clock }: ActionServices, account: string, start: Cursor | undefined, room: number): Promise<Page> => {
  const lists = Object.fromEntries(listedKinds.map((kind): [string, object[]] => [kinds[kind].exported, []]));
  const deadlineMs = clock.now() + budgetMs;
  let bytes = 0;
  let payments: Promise<Readers['paymentsOf']> | undefined;
  const readers: Readers = {
    async paymentsOf(order) {
      payments ??= store.payments.byOrder(account);
      return (await payments)(order);
    },
    eventOf: async (body) => JSON.parse(await withoutErased(store, account, body)) as object,
  };
  /** Adds the entries of a record, unless the page would become too large. The first page also has the account. */
  const put = (entries: readonly Entry[]): boolean => {
    const size = Buffer.byteLength(JSON.stringify(entries.map(([, view]) => view)));
    const isEmpty = bytes === 0 && start !== undefined;
    if (bytes + size > room && !isEmpty) return false;
    for (const [list, view] of entries) lists[list]?.push(view);
    bytes += size;
    return true;
  };
  const readPart = async (part: AccountPart, kind: ListedKind): Promise<Page['end']> => {
    const position = positionOf(part);
    let last = start?.position === position ? start.id : '';
    for (;;) {
      const { items, next } = await store.accountData.page(account, part, last || undefined, recordsAtOnce);
      const kept = items.filter((item) => !isExpired(item, clock.now()));
      const shown = await Promise.all(kept.map((item) => entriesOf(kind, item, readers)));
      for (const [i, entries] of shown.entries()) {
        if (!put(entries)) return { position, id: last };
        last = String(kept[i]?.['sk']);
        if (clock.now() > deadlineMs) return { position, id: last };
      }
      if (next === undefined) return undefined;
      last = next;
    }
  };
  const parts = await Promise.all(listedKinds.map((kind) => store.accountData.parts(account, kind)));
  for (const [i, kind] of listedKinds.entries())
    for (const part of parts[i] ?? []) {
      if (start && positionOf(part) < start.position) continue;
      const end = await readPart(part, kind);
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
    const once = start ? {} : await headOf(services.store, account);
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
