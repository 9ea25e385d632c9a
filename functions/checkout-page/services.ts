import type { Clock } from '../../shared/core/clock.ts';
import type { NewId } from '../../shared/core/ids.ts';
import type { Log } from '../../shared/core/log.ts';
import type { Random } from '../../shared/core/random.ts';
import type { Store } from '../../shared/table/store.ts';
import type { OpenGateway } from './gateway.ts';

export interface CheckoutPageServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: NewId;
  readonly log: Log;
  readonly openGateway: OpenGateway;
}
