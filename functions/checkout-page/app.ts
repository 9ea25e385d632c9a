import middy from '@middy/core';
import { html } from '../../shared/core/html.ts';
import type { Random } from '../../shared/core/random.ts';
import { pageRouteKey } from '../../shared/core/routes.ts';
import type { ApiHandler } from '../../shared/http/chain.ts';
import type { Received } from '../../shared/http/exchange.ts';
import { requestLog } from '../../shared/http/middleware/request-log.ts';
import type { Response } from '../../shared/http/responses.ts';
import { isGatewayFailure } from '../../shared/providers/payment-gateways/gateway.ts';
import { respond } from './frame.ts';
import { icon } from './icons.ts';
import { comeBack, type PageHandler, pay, showPage } from './page.ts';
import { idInPath, PageRejection } from './request.ts';
import { routes } from './routes.ts';
import { takeNotice } from './take-notice.ts';
import type { CheckoutPageServices } from './visit.ts';

const operations: Readonly<Record<(typeof routes)[number]['operation'], PageHandler>> = { showPage, pay, comeBack, takeNotice };

const failed = 'Something went wrong on our side. If you were paying, open the checkout again: you will not be charged twice.';

const gatewayFailed =
  'The payment service does not respond at the moment. Open the checkout again in a minute: you will not be charged twice.';

/** Returns the page that says what went wrong. */
const errorPage = (random: Random, error: unknown): Response => {
  const [status, message] = error instanceof PageRejection ? [error.status, error.message] : [500, failed];
  return respond(random, {
    title: status === 404 ? 'Not found' : 'Sorry',
    status,
    main: html`<section class="state"><span class="mark bad">${icon('alert')}</span><h1>${status === 404 ? 'Checkout not found' : 'That did not work'}</h1>
<p>${message}</p><button type="button" data-back hidden>Go back</button></section>`,
  });
};

/**
 * Runs the operation. A failure of the gateway or of the merchant's keys is a 503, and no fault of
 * the service: the shopper's next visit, or the gateway's next notice, goes on.
 */
const run = async (operation: PageHandler, ...call: Parameters<PageHandler>): Promise<Response> => {
  try {
    return await operation(...call);
  } catch (error) {
    throw isGatewayFailure(error) ? new PageRejection(503, gatewayFailed, error) : error;
  }
};

const chainOf = (services: CheckoutPageServices, op: string | undefined, operation: PageHandler) =>
  middy<Received, Response>()
    .use(requestLog(services, op))
    .onError((request) => {
      request.response = errorPage(services.random, request.error);
    })
    .handler((event) => run(operation, services, event));

const noPage: PageHandler = async () => {
  throw new PageRejection(404, 'There is no such page.');
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
