import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { checkoutPage } from '../../../functions/checkout-page/app.ts';
import { routes } from '../../../functions/checkout-page/routes.ts';
import type { CheckoutPageServices } from '../../../functions/checkout-page/visit.ts';
import { specOf } from '../../../lib/functions.ts';
import { pageRouteKey } from '../../../shared/core/routes.ts';
import type { Process, World } from '../scheduler/process.ts';
import type { LambdaFunction, Met } from './functions.ts';
import { contextOf } from './http.ts';
import { StripeModel } from './stripe.ts';

/** A request by a browser or a gateway. */
export interface Visit {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly path: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response of the page. */
export interface Shown {
  readonly status: number;
  readonly location: string | undefined;
  readonly text: string;
}

/** The hosted page of a region and its gateway. */
export interface ShopPage {
  readonly stripe: StripeModel;
  /** Undefined without a response. */
  visit(visit: Visit): Promise<Shown | undefined>;
}

export const pageOrigin = 'https://us.api.example.com';
const host = new URL(pageOrigin).host;
const timeoutMs = specOf('checkout-page').timeoutSeconds * 1000;

const eventOf = ({ method, path, form, body, headers }: Visit, requestId: string): APIGatewayProxyEventV2 => {
  for (const route of routes) {
    if (route.method !== method) continue;
    const found = new RegExp(`^${route.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(path);
    if (!found) continue;
    const text = body ?? (form && new URLSearchParams(form).toString());
    return {
      routeKey: pageRouteKey(route),
      rawPath: path,
      pathParameters: { ...found.groups },
      headers: { host, ...headers },
      requestContext: { requestId },
      // API Gateway passes a body that is not JSON as Base64.
      ...(text === undefined ? { isBase64Encoded: false } : { body: Buffer.from(text).toString('base64'), isBase64Encoded: true }),
    } as unknown as APIGatewayProxyEventV2;
  }
  throw new Error(`No page for ${method} ${path}.`);
};

export interface ShopPageOptions {
  readonly world: World;
  readonly services: (process: Process) => CheckoutPageServices;
  readonly lambda: <Handler>(name: string, timeoutMs: number, make: (process: Process) => Handler) => LambdaFunction<Handler>;
  /** Checks responses that no fault explains. */
  readonly judge: (to: string, status: number, response: string, met: Met) => void;
}

export const openShopPage = ({ world, services, lambda, judge }: ShopPageOptions): ShopPage => {
  const { faults, scheduler } = world;
  const random = scheduler.stream('page');
  let visits = 0;

  const visit = async (request: Visit): Promise<Shown | undefined> => {
    visits += 1;
    const id = `visit-${visits}`;
    try {
      const { result, met } = await page.invoke(
        (handler) => handler(eventOf(request, id), contextOf(timeoutMs)),
        new Set([request.path.split('/')[2] ?? '']),
      );
      const { statusCode = 0, body = '', headers = {} } = result;
      // Stripe's library tries twice, and does not repeat some errors.
      if (met.faults === 0) judge(`${request.method} ${request.path}`, statusCode, `a page that says ${statusCode}`, met);
      if (faults.befalls('client hears nothing', id, faults.level.fates['answer lost'] ?? 0, random)) return undefined;
      const location = headers['Location'] as string | undefined;
      return { status: statusCode, location, text: body };
    } catch {
      return undefined;
    }
  };

  const stripe = new StripeModel(world, async (tenant, body, signature) => {
    const path = `/checkout/${tenant}/notices/stripe`;
    return (await visit({ method: 'POST', path, body, headers: { 'stripe-signature': signature } }))?.status;
  });
  const page = lambda('checkout-page', timeoutMs, (process) => checkoutPage({ ...services(process), stripeApi: stripe.from(process) }));
  return { stripe, visit };
};
