import * as v from 'valibot';
import { type Region, regions } from '../../shared/core/config.ts';
import { invalidValue } from '../../shared/core/errors.ts';
import { currency, oneOf, partial, record, recordId, requiredText, text } from '../../shared/core/fields.ts';
import { isoFromMs, withLaterTime } from '../../shared/core/time.ts';
import { type Account, accountStatuses, emitsEvents, isUsable, plans } from '../../shared/domain/account/record.ts';
import { isSame } from '../../shared/domain/erased-fields.ts';
import { orderMonth } from '../../shared/domain/order/rules.ts';
import { endpointsPerAccount } from '../../shared/domain/webhook/record.ts';
import { pageBody, pageRequest } from '../../shared/operations/pages.ts';
import { createSandbox } from './account.create_sandbox.ts';
import { eraseAccount } from './account.erase.ts';
import { exportAccount } from './account.export.ts';
import { reindexAccount } from './account.reindex.ts';
import { onAccount, onItself, onRegion, ownIdField, pageFields } from './action.ts';
import { accountView } from './views.ts';

const regionalCurrency: Readonly<Record<Region, string>> = { us: 'USD', au: 'AUD', eu: 'EUR' };

/** Maximum number of orders per month. Null means no limit. */
const orderLimit = () =>
  v.nullable(v.pipe(v.number('must be a number'), v.safeInteger('must be a whole number'), v.minValue(0, 'must not be negative')));

const hasFormat = (timeZone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
};

/**
 * Whether Intl knows the name. Its list, which lacks other spellings and links, comes first, because
 * the first formatter of a process takes six times as long.
 */
const isTimezone = (name: string): boolean => Intl.supportedValuesOf('timeZone').includes(name) || hasFormat(name);

/** A time zone name of the IANA database. */
const timezone = () => v.nullable(v.pipe(text(), v.check(isTimezone, 'must be an IANA time zone, for example Europe/Berlin')));

const ownIdInput = record(ownIdField);

const create = onRegion({
  summary: 'Creates an account in the region.',
  input: record({
    name: requiredText(),
    region: v.exactOptional(oneOf(regions)),
    plan: oneOf(plans),
    status: v.exactOptional(oneOf(accountStatuses), 'active'),
    /** If absent, the default currency of the region. */
    currency: v.exactOptional(v.nullable(currency())),
    order_limit: v.exactOptional(orderLimit(), null),
    timezone: v.exactOptional(timezone(), null),
  }),
  async decide({ region, store, clock, newId }, { region: named = region, currency = regionalCurrency[region], ...fields }) {
    if (named !== region) throw invalidValue('region', `This service runs in ${region}. Create the account in the region ${named}.`);
    const nowMs = clock.now();
    const now = isoFromMs(nowMs);
    const account: Account = { id: newId('acct', nowMs), ...fields, region, currency, created_at: now, updated_at: now };
    return { result: accountView(account), writes: [store.accounts.createWrite(account)], owner: account.id };
  },
});

const update = onItself({
  summary: 'Changes the fields that you send. Other fields stay.',
  input: record(
    partial({
      id: recordId(),
      name: requiredText(),
      plan: oneOf(plans),
      status: oneOf(accountStatuses),
      currency: v.nullable(currency()),
      order_limit: orderLimit(),
      timezone: timezone(),
    }),
  ),
  async decide({ store, clock }, { id: _, ...changes }, account) {
    if (isSame({ ...account, ...changes }, account)) return { result: accountView(account) };
    const complete = withLaterTime(account, { ...changes, updated_at: isoFromMs(clock.now()) });
    const { status, order_limit: limit } = changes;
    const endpointWrites =
      status && store.endpoints.accountWrites(account.id, !emitsEvents({ status }), await store.endpoints.all(account.id));
    // Orders are not counted without a limit, so a limit begins with the month's stored orders.
    const isNewLimit = limit !== undefined && limit !== null && account.order_limit === null;
    const month = orderMonth(clock.now());
    const counted = isNewLimit && store.counters.setOrdersWrite(account.id, month, await store.counters.countOrders(account.id, month));
    const write = store.accounts.updateWrite(account.id, complete, limit === undefined ? undefined : account.order_limit);
    return { result: accountView({ ...account, ...complete }), writes: [write, ...(counted ? [counted] : []), ...(endpointWrites ?? [])] };
  },
});

/**
 * Maximum number of pending deliveries that are counted per endpoint, so that a large backlog does
 * not make this read more expensive.
 */
const maxCountedPending = 100;
/**
 * Maximum number of orders that usage counts for an account without an order limit. The service
 * keeps no counter for such an account, so usage reads the orders.
 */
const maxCountedOrders = 10_000;

const usage = onItself({
  summary: 'Counts the orders of this month, endpoints, keys and pending deliveries. `or_more`: there are more than counted.',
  input: ownIdInput,
  async read({ store, clock }, _input, account) {
    const nowMs = clock.now();
    const month = orderMonth(nowMs);
    const [orders, endpoints, keys] = await Promise.all([
      account.order_limit === null
        ? store.counters.countOrders(account.id, month, maxCountedOrders)
        : store.counters.ordersIn(account.id, month),
      store.endpoints.all(account.id),
      store.apiKeys.list(account.id),
    ]);
    const pending = await Promise.all(
      endpoints.map(async ({ id, enabled }) => {
        const { count, orMore } = await store.deliveries.countPending(account.id, id, maxCountedPending);
        return { endpoint_id: id, enabled, pending: count, or_more: orMore };
      }),
    );
    return {
      id: account.id,
      plan: account.plan,
      status: account.status,
      orders: { month, count: orders, or_more: account.order_limit === null && orders === maxCountedOrders, limit: account.order_limit },
      webhook_endpoints: {
        count: endpoints.length,
        enabled: endpoints.filter(({ enabled }) => enabled).length,
        limit: endpointsPerAccount,
      },
      api_keys: { count: keys.length, usable: keys.filter((key) => isUsable(key, nowMs)).length },
      deliveries: pending,
    };
  },
});

export const account = {
  create,
  get: onItself({
    summary: 'Shows an account.',
    erased: true,
    input: ownIdInput,
    read: async (_services, _input, account) => accountView(account),
  }),
  update,
  create_sandbox: createSandbox,
  export: exportAccount,
  erase: eraseAccount,
  reindex: reindexAccount,
  usage,
};

export const notice = {
  list: onAccount({
    summary: 'Lists the notices about an account to the platform team of the last 30 days, newest first.',
    input: record(pageFields(50, 100)),
    async read({ store }, query, { id: account }) {
      const call = { account, operation: 'notice.list', id: '', query };
      const { data, pagination } = pageBody(call, await store.notices.list(account, pageRequest(call)), (notice) => notice);
      return { data, next_cursor: pagination.next_cursor };
    },
  }),
};
