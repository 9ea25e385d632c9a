import middy from '@middy/core';
import { html } from '../../shared/core/html.ts';
import { untilTimeout } from '../../shared/core/invocation.ts';
import type { Random } from '../../shared/core/random.ts';
import { pageRouteKey } from '../../shared/core/routes.ts';
import type { ApiHandler } from '../../shared/http/chain.ts';
import type { ReceivedRequest } from '../../shared/http/exchange.ts';
import { requestLog } from '../../shared/http/middleware/request-log.ts';
import type { Response } from '../../shared/http/responses.ts';
import { isGatewayFailure } from '../../shared/providers/payment-gateways/gateway.ts';
import { respond } from './frame.ts';
import { icon } from './icons.ts';
import { readLocale } from './locale.ts';
import { comeBack, type PageHandler, pay, showPage } from './page.ts';
import { idInPath, PageRejection } from './request.ts';
import { routes } from './routes.ts';
import { takeNotice } from './take-notice.ts';
import type { CheckoutPageServices } from './visit.ts';

const operations: Readonly<Record<(typeof routes)[number]['operation'], PageHandler>> = { showPage, pay, comeBack, takeNotice };

/** Returns the page that says what went wrong. */
const errorPage = async (random: Random, headers: ReceivedRequest['headers'], error: unknown): Promise<Response> => {
  const { status, reason } = error instanceof PageRejection ? error : { status: 500, reason: 'failed' as const };
  // The page shows no date and no amount, so the region does not matter.
  const locale = await readLocale(headers, 'us');
  const { failure, rejections, error: errorTitle } = locale.texts;
  const heading = status === 404 ? failure.notFound : failure.heading;
  return respond(random, locale, {
    title: errorTitle(heading),
    status,
    main: html`<section class="state"><span class="mark bad">${icon('alert')}</span><h1 tabindex="-1" autofocus>${heading}</h1>
<p>${rejections[reason]}</p><button type="button" data-back hidden>${failure.back}</button></section>`,
  });
};

/**
 * Runs the operation. A failure of the gateway or of the merchant's keys is a 503, and no fault of
 * the service: the shopper's next visit, or the gateway's next notice, goes on.
 */
const runOperation = async (operation: PageHandler, ...call: Parameters<PageHandler>): Promise<Response> => {
  try {
    return await operation(...call);
  } catch (error) {
    throw isGatewayFailure(error) ? new PageRejection(503, 'gatewayFailed', error) : error;
  }
};

const chainOf = (services: CheckoutPageServices, op: string | undefined, operation: PageHandler) =>
  middy<ReceivedRequest, Response>()
    .use(requestLog(services, op))
    .onError(async (request) => {
      request.response = await errorPage(services.random, request.event.headers, request.error);
    })
    .handler(untilTimeout((event: ReceivedRequest) => runOperation(operation, services, event)));

const noPage: PageHandler = async () => {
  throw new PageRejection(404, 'noPage');
};

/**
 * Returns the handler of the hosted page, which browsers and gateways request without a key. It
 * writes one log line per request, without path or form data.
 */
export const checkoutPage = (services: CheckoutPageServices): ApiHandler => {
  const chains = new Map(routes.map((route) => [pageRouteKey(route), chainOf(services, route.operation, operations[route.operation])]));
  const unknown = chainOf(services, undefined, noPage);
  return (event, context) => {
    const chain = chains.get(event.routeKey) ?? unknown;
    return chain({ ...event, nowMs: services.clock.now(), logged: { account: idInPath(event, 'account') } }, context);
  };
};
