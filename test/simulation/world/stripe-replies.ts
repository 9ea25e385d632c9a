/** A hosted session as Stripe stores it. */
export interface Hosted {
  readonly id: string;
  readonly account: string;
  readonly url: string;
  readonly client_reference_id: string;
  readonly amount_total: number;
  readonly currency: string;
  /** When the page opened, and when it no longer took a payment. */
  readonly openedMs: number;
  closedMs: number;
  readonly expiresMs: number;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
}

export interface Reply {
  readonly status: number;
  readonly body: object;
}

export const errorReply = (status: number, error: object): Reply => ({ status, body: { error } });
