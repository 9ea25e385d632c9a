import assert from 'node:assert/strict';
import type { Region } from '../../../shared/core/config.ts';
import type { HttpRequest, HttpResponse } from '../../support/http.ts';
import type { Check } from '../check.ts';
import type { Deployed } from '../deploy.ts';
import type { Emulator } from '../emulator.ts';
import { requestAt } from '../http.ts';
import { type Ops, opsOf } from '../ops.ts';

/** A merchant of a deployed region. */
export interface Shop {
  readonly region: Region;
  readonly account: string;
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly check: Check;
  /** Runs a dashboard action on the merchant's account. */
  act(action: string, input: unknown): ReturnType<Ops>;
  /** Sends a request with the secret key, relative to the region's `/api/v2`. */
  call(method: string, path: string, body?: unknown, options?: HttpRequest): Promise<HttpResponse>;
  /** Requests any path of the region without a key. */
  visit(method: string, path: string, options?: HttpRequest): Promise<HttpResponse>;
}

/** Creates an account with a key of each type by `ops --stack`; undefined if that fails. */
export const openShop = async ({ region, stack, url: apiUrl }: Deployed, emulator: Emulator, check: Check): Promise<Shop | undefined> => {
  const ops = opsOf(emulator, region, stack);
  const request = requestAt(emulator);
  const visit: Shop['visit'] = (method, path, options) => request(method, `${apiUrl}${path}`, options);
  let shop: Shop | undefined;
  await check('GET /health names its region', async () => {
    const { status, body } = await visit('GET', '/health');
    assert.deepEqual([status, body.status, body.region], [200, 'ok', region]);
  });
  await check('ops --stack opens an account and makes its keys', async () => {
    const { id: account, ...rest } = await ops('account.create', { name: 'Corner Bakery', plan: 'business' });
    assert.deepEqual([rest.region, rest.status], [region, 'active']);
    const [secret, publishable] = await Promise.all([
      ops('key.create', { type: 'secret', group: 'fullAccess', name: 'Server' }, account),
      ops('key.create', { type: 'publishable', name: 'Storefront' }, account),
    ]);
    assert.match(secret.key, new RegExp(`^svc_sk_live_${region}_`));
    assert.match(publishable.key, new RegExp(`^svc_pk_live_${region}_`));
    shop = {
      region,
      account,
      secretKey: secret.key,
      publishableKey: publishable.key,
      check,
      act: (action, input) => ops(action, input, account),
      call: (method, path, body, options = {}) =>
        visit(method, `/api/v2${path}`, { key: secret.key, ...(body === undefined ? {} : { body }), ...options }),
      visit,
    };
  });
  return shop;
};
