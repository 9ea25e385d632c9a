import { paymentMethodsOf } from '../../shared/domain/reference/rules.ts';
import type * as wire from '../../shared/domain/reference/wire.ts';
import type { ApiServices } from '../../shared/http/operation.ts';
import { fromSettings } from './settings-operation.ts';

/** The enabled methods. */
export const listPaymentMethods = (services: ApiServices) =>
  fromSettings(services, (settings): wire.PaymentMethodList => ({ payment_methods: paymentMethodsOf(settings) }));
