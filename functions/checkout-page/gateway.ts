import type { Settings } from '../../shared/domain/settings.ts';
import type { PaymentGateway } from '../../shared/providers/payment-gateways/gateway.ts';
import { sandboxGateway } from '../../shared/providers/payment-gateways/sandbox.ts';
import { PageRefusal } from './request.ts';

/** The gateway of an account: the sandbox unless its settings name another. */
export const openGateway = (settings: Settings['checkout']): PaymentGateway => {
  if (settings === undefined || settings.gateway === 'sandbox') return sandboxGateway();
  throw new PageRefusal(503, 'This shop cannot take payments at the moment.');
};
