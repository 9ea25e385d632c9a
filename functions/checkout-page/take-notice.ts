import { withoutOrder } from '../../shared/domain/checkout/settlement.ts';
import type { Response } from '../../shared/http/responses.ts';
import { gatewayNames, NoticeRefused } from '../../shared/providers/payment-gateways/gateway.ts';
import { onwards, type PageHandler } from './page.ts';
import { isId, PageRefusal, pathId, rawBody } from './request.ts';
import { applyCharge } from './settle.ts';
import { openShop } from './visit.ts';

const text = (statusCode: number, body: string): Response => ({
  statusCode,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  body,
});

/**
 * POST: receives a notice of the gateway in the path, even if the account now uses another gateway.
 * The notice says that a payment was approved or declined. If money was taken, the session becomes
 * an order in any state. Every other result must concern the current payment. If the notice arrives
 * before the service has stored the payment, the response is an error, so that the gateway sends
 * the notice again.
 */
export const takeNotice: PageHandler = async (services, event) => {
  const name = gatewayNames.find((known) => known === event.pathParameters?.['provider']);
  if (name === undefined) throw new PageRefusal(404, 'There is no such page.');
  const { account, openGateway } = await openShop(services, pathId(event, 'account'));
  const gateway = await openGateway({ gateway: name, keys: null });
  try {
    const notice = await gateway.readNotice({ body: rawBody(event), headers: event.headers });
    if (!notice || !isId(notice.session)) return text(200, 'Nothing to do.');
    const stored = await services.store.checkoutSessions.get(account.id, notice.session);
    if (!stored) {
      const { session, taken: transaction } = notice;
      if (transaction !== undefined) services.log(withoutOrder({ account: account.id, session, transaction, why: 'session_gone' }));
      return text(200, 'Nothing to do.');
    }
    const session = stored.record;
    const charge = await notice.judge(session);
    if (!charge) return text(200, 'Nothing to do.');
    const isUnderWay = session.payment?.transaction_id === charge.transaction_id;
    if (charge.kind !== 'approved' && !isUnderWay) {
      return session.status === 'processing'
        ? text(409, 'The payment is not known yet; please send this again.')
        : text(200, 'Nothing to do.');
    }
    const now = await applyCharge(services, account, session, charge);
    return gateway.name === 'sandbox' ? onwards(event, now) : text(200, 'Done.');
  } catch (error) {
    if (error instanceof NoticeRefused) throw new PageRefusal(403, 'This notice was not sent by the gateway.');
    throw error;
  }
};
