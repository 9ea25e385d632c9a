import type { Address } from '../free-members.ts';
export interface Customer {
  readonly id: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly company: string | null;
  readonly tags: readonly string[];
  readonly is_blacklisted: boolean;
  /** Orders that are neither cancelled nor deleted. */
  readonly total_orders: number;
  /** What they were counted for: their totals, of those in the account's currency. */
  readonly total_spent: number;
  readonly last_order_date: string | null;
  /** Null where no preference is recorded. */
  readonly marketing_email: boolean | null;
  readonly marketing_sms: boolean | null;
  readonly external_id: string | null;
  readonly notes: string | null;
  readonly address: Address | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly created_at: string;
  readonly updated_at: string;
  /** Set where the person was erased: the record stands for their orders and names nobody; nothing new is made for it. */
  readonly erased_at?: string;
}

/** Emails with the same key belong to one customer: they are equal after NFC and lower-casing (decisions §3). */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase();

export const customerName = ({ first_name, last_name }: Pick<Customer, 'first_name' | 'last_name'>): string | null =>
  [first_name, last_name].filter(Boolean).join(' ') || null;
