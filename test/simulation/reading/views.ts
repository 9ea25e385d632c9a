import { payloadFields, shownFields } from '../../contract/specification.ts';
import { pageOrigin } from '../world/shop-page.ts';
import type { Fields, Kind } from './records.ts';

/** The fields of responses by the specification, from records as they are stored. */

const names = (text: string): readonly string[] => text.trim().split(/\s+/);

/** § Expense (full shape); decisions §6. */
export const shownNames = {
  order: [
    ...Object.keys(payloadFields['order'] ?? {}),
    ...names('items payment_method event_category delivery_address notes custom_fields metadata'),
  ],
  customer: [...Object.keys(payloadFields['customer'] ?? {}), ...Object.keys(shownFields.customer)],
  expense: names(`
    id amount currency category subcategory description notes tags date status source editable supplier payment tax created_at updated_at
  `),
  checkoutSession: names('id url status currency subtotal delivery_fee total expires_at created_at'),
} as const satisfies Partial<Record<Kind, readonly string[]>>;

export type ShownKind = keyof typeof shownNames;

const derived = (kind: ShownKind, record: Fields): object => {
  if (kind === 'order')
    return { friendly_order_number: `#${record['order_number']}`, items_count: (record['items'] as readonly unknown[]).length };
  if (kind === 'expense') return { date: new Date(Number(record['date']) * 1000).toISOString() };
  if (kind !== 'checkoutSession') return {};
  return {
    url: `${pageOrigin}/checkout/${record['account']}/${record.id}`,
    expires_at: new Date(Number(record['expires_ms'])).toISOString(),
  };
};

/** Returns a stored record as a response shows it. */
export const viewOf = (kind: ShownKind, record: Fields): Fields => {
  const all: Readonly<Record<string, unknown>> = { ...record, ...derived(kind, record) };
  return Object.fromEntries(shownNames[kind].map((name) => [name, all[name]])) as unknown as Fields;
};
