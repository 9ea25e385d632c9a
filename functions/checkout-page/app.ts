import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { html } from '../../shared/core/html.ts';
import { describeError } from '../../shared/core/log.ts';
import type { Random } from '../../shared/core/random.ts';
import { pageRouteKey } from '../../shared/core/routes.ts';
import { respond } from './frame.ts';
import type { CheckoutPageServices } from './gateway.ts';
import { comeBack, type PageHandler, showPage } from './page.ts';
import { pay } from './pay.ts';
import { idInPath, PageRefusal } from './request.ts';
import { routes } from './routes.ts';
import { takeNotice } from './take-notice.ts';

const operations: Readonly<Record<(typeof routes)[number]['operation'], PageHandler>> = { showPage, pay, comeBack, takeNotice };

const refusalPage = (random: Random, status: number, message: string): APIGatewayProxyStructuredResultV2 =>
  respond(random, {
    title: status === 404 ? 'Not found' : 'Sorry',
    status,
    main: html`<h1>${status === 404 ? 'Checkout not found' : 'That did not work'}</h1><section><p>${message}</p><button type="button" data-back hidden>Go back</button></section>`,
  });

/**
 * Returns the handler of the hosted page, which browsers and gateways request without a key. It
 * writes one log line per request, without path or form data.
 */
export const checkoutPage =
  (services: CheckoutPageServices) =>
  async (event: APIGatewayProxyEventV2, _context?: Context): Promise<APIGatewayProxyStructuredResultV2> => {
    const { clock, random, log } = services;
    const startMs = clock.now();
    const operation = routes.find((route) => pageRouteKey(route) === event.routeKey)?.operation;
    let failure: Record<string, unknown> = {};
    const answer = async (): Promise<APIGatewayProxyStructuredResultV2> => {
      try {
        if (!operation) throw new PageRefusal(404, 'There is no such page.');
        return await operations[operation](services, event);
      } catch (error) {
        if (error instanceof PageRefusal) {
          if (error.cause !== undefined) failure = { error: describeError(error.cause) };
          return refusalPage(random, error.status, error.message);
        }
        failure = { code: 'internal_error', error: describeError(error) };
        return refusalPage(
          random,
          500,
          'Something went wrong on our side. If you were paying, open the checkout again: you will not be charged twice.',
        );
      }
    };
    const response = await answer();
    const rid = event.requestContext.requestId;
    response.headers = { ...response.headers, 'X-Request-Id': rid };
    log({
      rid,
      op: operation,
      status: response.statusCode,
      ms: clock.now() - startMs,
      account: idInPath(event, 'account'),
      ...failure,
    });
    return response;
  };
