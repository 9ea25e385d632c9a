import { faultsOfPayload } from '../contract/specification.ts';
import type { Emitted } from './scene.ts';
import { paths, type Snapshot, type View } from './snapshot.ts';

/**
 * Rules of the specification and of decisions §5 to §7 about what a write leaves behind. They are written
 * independently of the code: nothing here may import its rules.
 */

export const kindOf = (key: string): string => key.split(' ')[0] ?? '';
export const ofKind = ({ records }: Snapshot, kind: string): readonly View[] =>
  [...records].flatMap(([key, view]) => (kindOf(key) === kind ? [view] : []));

/** Key-sorted JSON: two values are the same if their texts are. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  ) ?? 'undefined';

/** Fields whose change moves no `updated_at` (decisions §6, General). A key's last use is no save. */
const withoutTime: Readonly<Record<string, readonly string[]>> = {
  customer: ['total_orders', 'total_spent', 'last_order_date'],
  endpoint: ['delivery_stats'],
  key: ['last_used_on'],
};

/** Returns the names of the fields that differ, without `updated_at` and those that do not move it. */
export const changedFields = (key: string, before: View, after: View): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => name !== 'updated_at' && !withoutTime[kindOf(key)]?.includes(name))
    .filter((name) => textOf(before[name]) !== textOf(after[name]));

/** `updated_at` moves if and only if what the retrieve shows changes; a product's with every save. */
export const timeFaults = (before: Snapshot, after: Snapshot, saved: readonly string[] = []): readonly string[] =>
  [...before.records].flatMap(([key, was]) => {
    const is = after.records.get(key);
    if (is === undefined || was.updated_at === undefined) return [];
    const changed = changedFields(key, was, is);
    if (is.updated_at < was.updated_at) return [`updated_at of the ${kindOf(key)} moved back`];
    const moved = is.updated_at > was.updated_at;
    if (changed.length > 0 && !moved) return [`updated_at of the ${kindOf(key)} stayed, but changed: ${changed.join(', ')}`];
    if (changed.length === 0 && moved && !saved.includes(key)) return [`updated_at of the ${kindOf(key)} moved, but nothing changed`];
    return saved.includes(key) && !moved ? [`updated_at of the saved ${kindOf(key)} stayed`] : [];
  });

/** The types that are missing or too many, and payloads that disagree with the record that is read. */
export const eventFaults = (after: Snapshot, expected: readonly string[], emitted: readonly Emitted[]): readonly string[] => {
  const remaining = [...expected];
  const extra = emitted.flatMap(({ type }) => {
    const index = remaining.indexOf(type);
    if (index === -1) return [`${type} was emitted`];
    remaining.splice(index, 1);
    return [];
  });
  return [...extra, ...remaining.map((type) => `${type} was not emitted`), ...emitted.flatMap((event) => payloadFaults(after, event))];
};

/** A payment as its order shows it, or alone. */
const paymentOf = (snapshot: Snapshot, id: string): View =>
  snapshot.records.get(`payment ${id}`) ??
  ofKind(snapshot, 'order')
    .flatMap(({ payments }) => payments)
    .find((one) => one.id === id);

/** The fields of a payload that the retrieve shows must have its values, unless the record was saved again. */
const payloadFaults = (after: Snapshot, { type, object }: Emitted): readonly string[] => {
  const faults = faultsOfPayload(type, object).map((fault) => `${type}: ${fault}`);
  const kind = type.split('.')[0] ?? '';
  const shown = kind === 'payment' ? paymentOf(after, object.id) : after.records.get(`${kind} ${object.id}`);
  if (shown === undefined || shown.updated_at !== object.updated_at) return faults;
  const names = Object.keys(object).filter((name) => name in shown && (kind !== 'payment' || name !== 'previous_status'));
  // A payment that changes twice has an event for each state; its last status decides.
  if (kind === 'payment' && object.status !== shown.status) return faults;
  const wrong = names.filter((name) => textOf(object[name]) !== textOf(shown[name]));
  return [...faults, ...wrong.map((name) => `${type} has another ${name} than the ${kind} that is read`)];
};

type Matches = (view: View) => boolean;

const fold = (text: unknown): string =>
  String(text ?? '')
    .normalize('NFC')
    .toLowerCase();

/** What each parameter of a list selects. */
const filters: Readonly<Record<string, (value: string, kind: string) => Matches>> = {
  status: (value) => (view) => view.status === value,
  payment_status: (value) => (view) => view.payment_status === value,
  customer_id: (value) => (view) => view.customer_id === value,
  external_id: (value) => (view) => view.external_id === value,
  email: (value) => (view) => fold(view.email) === fold(value),
  category: (value) => (view) => view.category === value,
  supplier_id: (value) => (view) => view.supplier?.id === value,
  search: (value, kind) => (view) =>
    fold(kind === 'customer' ? [view.first_name, view.last_name].filter(Boolean).join(' ') : view.name).includes(fold(value)),
};

const sortOf = (kind: string, query: URLSearchParams): string => {
  if (query.has('updated_after') || query.get('order_by') === 'updated_at') return 'updated_at';
  if (kind === 'expense') return 'date';
  return { updatedAt: 'updated_at', deliveryDate: 'delivery_date' }[query.get('sort') ?? ''] ?? 'created_at';
};

/** What a list shows of a record: the list shape of expenses, orders without payments, endpoints without a reason. */
const listed: Readonly<Record<string, (view: View) => View>> = {
  order: ({ payments: _, ...view }) => view,
  endpoint: ({ disabled_reason: _, ...view }) => view,
  expense: (view) => ({
    ...Object.fromEntries(
      ['id', 'amount', 'currency', 'category', 'date', 'status', 'source', 'editable', 'description', 'updated_at'].map((name) => [
        name,
        view[name],
      ]),
    ),
    supplier_name: view.supplier?.name ?? null,
  }),
};

const kindOfList: ReadonlyMap<string, string> = new Map(Object.entries(paths).map(([kind, path]) => [path, kind]));

/** Each list shows the records that belong into it, in its order, with their current values. */
export const listFaults = (after: Snapshot): readonly string[] =>
  [...(after.lists ?? [])].flatMap(([list, entries]) => {
    const [path = '', visitor] = list.split(' as a ');
    const [resource = '', search = ''] = path.split('?');
    const query = new URLSearchParams(search);
    const kind = kindOfList.get(resource) ?? '';
    const matches = [...query].flatMap(([name, value]) => filters[name]?.(value, kind) ?? []);
    const sort = sortOf(kind, query);
    const expected = ofKind(after, kind)
      .filter((view) => (!visitor || view.storefront_visible) && matches.every((match) => match(view)))
      .sort((a, b) => (textOf([a[sort] ?? '', a.id]) < textOf([b[sort] ?? '', b.id]) ? 1 : -1));
    const title = `${resource}?${[...query.keys()].join('&')}${visitor ? ' of a visitor' : ''}`;
    const ids = expected.map(({ id }) => id);
    const shown = entries.map(({ id }) => id);
    const missing = ids.some((id) => !shown.includes(id)) ? [`${title} lacks a ${kind}`] : [];
    const extra = shown.some((id) => !ids.includes(id)) ? [`${title} shows a ${kind} that does not belong there`] : [];
    const order = missing.length + extra.length === 0 && textOf(ids) !== textOf(shown) ? [`${title} is in another order`] : [];
    const stale = visitor ? [] : staleFields(kind, expected, entries).map((name) => `${title} shows another ${name}`);
    return [...missing, ...extra, ...order, ...stale];
  });

const staleFields = (kind: string, expected: readonly View[], entries: readonly View[]): readonly string[] => {
  const views = new Map(expected.map((view) => [view.id, (listed[kind] ?? ((one: View) => one))(view)]));
  const names = entries.flatMap((entry) => {
    const view = views.get(entry.id);
    if (view === undefined) return [];
    return [...new Set([...Object.keys(view), ...Object.keys(entry)])].filter((name) => textOf(view[name]) !== textOf(entry[name]));
  });
  return [...new Set(names)];
};

/** Returns the fields of `expected` that the record does not show. */
export const droppedFaults = (after: Snapshot, key: string, expected: Readonly<Record<string, unknown>>): readonly string[] => {
  const view = after.records.get(key) ?? (key.startsWith('payment ') ? paymentOf(after, key.slice('payment '.length)) : undefined);
  if (view === undefined) return [`the ${kindOf(key)} cannot be read`];
  return Object.entries(expected).flatMap(([name, value]) => (contains(view[name], value) ? [] : [`${name} that was sent is not read`]));
};

/** Whether a value that is read has everything that was sent. */
const contains = (read: View, sent: unknown): boolean => {
  if (Array.isArray(sent)) return Array.isArray(read) && read.length === sent.length && sent.every((one, i) => contains(read[i], one));
  if (typeof sent === 'object' && sent !== null)
    return read !== null && typeof read === 'object' && Object.entries(sent).every(([name, value]) => contains(read[name], value));
  return textOf(read) === textOf(sent);
};
