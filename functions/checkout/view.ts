import { isoFromMs } from '../../shared/core/time.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import type * as wire from '../../shared/domain/checkout/wire.ts';

/** What the caller of POST /checkout gets; `url` is the hosted page. */
export const sessionView = (session: CheckoutSession, url: string): wire.CheckoutSession => ({
  id: session.id,
  url,
  status: session.status,
  currency: session.currency,
  subtotal: session.subtotal,
  delivery_fee: session.delivery_fee,
  total: session.total,
  expires_at: isoFromMs(session.expires_ms),
  created_at: session.created_at,
});
