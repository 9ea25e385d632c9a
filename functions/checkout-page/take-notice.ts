import { stateOf } from '../../shared/domain/checkout/rules.ts';
import { orderlessPaymentLine } from '../../shared/domain/checkout/settlement.ts';
import type { Response } from '../../shared/http/responses.ts';
import { gatewayNames, type MoneyBack, NoticeRejected } from '../../shared/providers/payment-gateways/gateway.ts';
import { type PageHandler, redirectAfterPayment } from './page.ts';
import { isId, PageRejection, pathId, rawBody } from './request.ts';
import { applyCharge } from './settle.ts';
import { type CheckoutPageServices, openShop } from './visit.ts';

const textResponse = (statusCode: number, body: string): Response => ({
  statusCode,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  body,
});

const sendLater = (): Response => textResponse(409, 'The payment is not known yet; please send this again.');

/**
 * Records refunds and disputes. If a session of the account has yet to become an order, the gateway
 * must send the notice again. A payment that has no record, or is of another system that uses the same
 * gateway, is left alone.
 */
const recordMoneyBack = async (
  services: CheckoutPageServices,
  account: string,
  { refunds, disputes, sessionOf }: MoneyBack,
): Promise<Response> => {
  // Loaded only here, because no shopper waits for it.
  const { applyDispute, applyRefund } = await import('../../shared/operations/money-back.ts');
  const unknown: (readonly string[])[] = [];
  for (const refund of refunds) if ((await applyRefund(services, account, refund)) === undefined) unknown.push(refund.transactionIds);
  for (const { status, ...dispute } of disputes)
    if (status !== 'inquiry' && !(await applyDispute(services, account, { status, ...dispute }))) unknown.push(dispute.transactionIds);
  for (const payments of unknown) {
    const session = await sessionOf(payments, account);
    const stored = session === undefined ? undefined : await services.store.checkoutSessions.get(account, session);
    if (stored && stored.record.status !== 'paid') return sendLater();
    services.log({ op: 'notice', account, session, payments, unrecorded: true });
  }
  return textResponse(200, 'Done.');
};

/**
 * POST: receives a notice of the gateway in the path, even if the account now uses another gateway.
 * The notice says that a payment was approved or declined. If money was taken, the session becomes
 * an order in any state. Every other result must concern the current payment. If the notice arrives
 * while a process may yet store the payment, the response is an error, so that the gateway sends
 * the notice again. After the lease of that process, the shopper's next visit takes the payment over.
 */
export const takeNotice: PageHandler = async (services, event) => {
  const name = gatewayNames.find((known) => known === event.pathParameters?.['provider']);
  if (name === undefined) throw new PageRejection(404, 'noPage');
  const { account, openGateway } = await openShop(services, pathId(event, 'account'));
  const gateway = await openGateway({ gateway: name, keys: null });
  try {
    const notice = await gateway.readNotice({ body: rawBody(event), headers: event.headers });
    if (notice && 'refunds' in notice) return await recordMoneyBack(services, account.id, notice);
    if (!notice || !isId(notice.session)) return textResponse(200, 'Nothing to do.');
    const stored = await services.store.checkoutSessions.get(account.id, notice.session);
    if (!stored) {
      const { session, taken: transaction } = notice;
      if (transaction !== undefined) services.log(orderlessPaymentLine({ account: account.id, session, transaction, why: 'session_gone' }));
      return textResponse(200, 'Nothing to do.');
    }
    const session = stored.record;
    const charge = await notice.judge(session);
    if (!charge) return textResponse(200, 'Nothing to do.');
    const isUnderWay = session.payment?.transaction_id === charge.transaction_id;
    if (charge.kind !== 'approved' && !isUnderWay) {
      return stateOf(session, services.clock.now()) === 'processing' ? sendLater() : textResponse(200, 'Nothing to do.');
    }
    const charged = await applyCharge(services, account, session, charge);
    return gateway.name === 'sandbox' ? redirectAfterPayment(event, charged) : textResponse(200, 'Done.');
  } catch (error) {
    if (error instanceof NoticeRejected) throw new PageRejection(403, 'foreignNotice');
    throw error;
  }
};
