import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import { stateOf } from '../../shared/domain/checkout/rules.ts';
import { type PageHandler, pageOf } from './page.ts';
import { assertTrades, readVisit } from './visit.ts';

/** GET: the page as the session stands; changes nothing. */
export const showPage: PageHandler = async (services, event) => {
  const visit = await readVisit(services, event);
  assertTrades(visit);
  const session: CheckoutSession = visit.stored.record;
  return pageOf(services, { ...visit, session, gateway: await visit.openGateway() }, stateOf(session, services.clock.now()));
};
