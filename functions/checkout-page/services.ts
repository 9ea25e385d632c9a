import type { Clock } from '../../shared/core/clock.ts';
import type { NewId } from '../../shared/core/ids.ts';
import type { Log } from '../../shared/core/log.ts';
import type { Settings } from '../../shared/domain/settings.ts';
import type { PaymentGateway } from '../../shared/providers/payment-gateways/gateway.ts';
import type { Store } from '../../shared/table/store.ts';

export interface CheckoutPageServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  /** The gateway that an account's settings name. */
  readonly openGateway: (account: string, settings: Settings['checkout']) => Promise<PaymentGateway>;
}
