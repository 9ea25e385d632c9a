import { seeOther } from './frame.ts';
import { onwards, type PageHandler } from './page.ts';
import { pageUrl } from './request.ts';
import { applyCharge } from './settle.ts';
import { readVisit } from './visit.ts';

/** GET: the shopper is back from the gateway's own page, which is asked what became of the payment; its notice may come before or after. */
export const comeBack: PageHandler = async (services, event) => {
  const visit = await readVisit(services, event);
  const session = visit.stored.record;
  const charge = session.status === 'pending' ? await (await visit.openGateway()).check(session) : undefined;
  const now = charge ? await applyCharge(services, visit.account, session, charge) : session;
  return now.status === 'paid' ? onwards(event, now) : seeOther(pageUrl(event, now));
};
