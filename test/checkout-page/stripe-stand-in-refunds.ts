/** A request to the stand-in. */
export interface Sent {
  /** The Stripe account of its key. */
  readonly account: number;
  readonly form: URLSearchParams;
  /** The Idempotency-Key. */
  readonly key: string;
}

/** Error of a request, as Stripe returns it. */
export interface Rejection {
  readonly type: 'invalid_request_error' | 'idempotency_error';
  readonly message: string;
  readonly param?: string;
  readonly code?: string;
}

export const reject = (param: string, message: string, code?: string): Rejection => ({
  type: 'invalid_request_error',
  message,
  param,
  ...(code === undefined ? {} : { code }),
});

/** Returns the metadata of a request. */
const metadataOf = (form: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) => (name.startsWith('metadata[') ? [[name.slice('metadata['.length, -1), value]] : [])),
  );

interface Reply {
  readonly status: number;
  readonly body: object;
}

/** The stand-in's refunds and disputes. */
export interface MoneyBackStandIn {
  /** Refunds of all payments, as Stripe returns them, in the order in which they were made. */
  readonly refunds: readonly any[];
  /** Sets the status of refunds that are asked for from now on. */
  refundsBecome(status: string): void;
  /** Forgets the idempotency keys of refunds, as Stripe does after a day. */
  forgetRefundKeys(): void;
  /**
   * Ends the connection of the next request that makes a refund, after it is made, and that of its
   * repetition by Stripe's library.
   */
  loseNextResponse(): void;
  /** Makes a refund in Stripe's dashboard. Returns it. */
  refundAt(payment: string, amount: number, fields?: object): any;
  /** Opens a dispute of a payment, or changes it. Returns it. */
  dispute(payment: string, id: string, status: string): any;
  /** The account's webhook endpoints, and whether it can take payments. */
  readonly profile: { endpoints: object[]; canCharge: boolean };
  /** Whether the connection of this request ends without an answer. */
  losesResponse(): boolean;
  /** Returns the answer to a request about refunds, disputes and payments; undefined for another path. */
  replyTo(method: string, path: string, query: URLSearchParams, sent: Sent): Reply | undefined;
}

interface Books {
  /** Hosted sessions by id, and the accounts that own them. */
  readonly sessions: ReadonlyMap<string, any>;
  readonly owners: ReadonlyMap<string, number>;
  readonly now: () => number;
}

export const openMoneyBack = ({ sessions, owners, now }: Books): MoneyBackStandIn => {
  const refunds: any[] = [];
  const disputes = new Map<string, any>();
  const byKey = new Map<string, any>();
  let status = 'succeeded';
  const profile = { endpoints: [] as object[], canCharge: true };
  let lost = 0;
  const created = () => Math.floor(now() / 1000);
  const sessionOf = (payment: string) => [...sessions.values()].find(({ payment_intent }) => payment_intent?.id === payment);
  const refundsOf = (payment: string | null) =>
    refunds.filter(({ payment_intent, charge }) => payment_intent === payment || charge === payment).reverse();

  const refundAt: MoneyBackStandIn['refundAt'] = (payment, amount, fields = {}) => {
    const { currency } = sessionOf(payment);
    const of = { payment_intent: payment, charge: `ch_of_${payment}` };
    const refund = {
      id: `re_${refunds.length + 1}`,
      object: 'refund',
      amount,
      currency,
      ...of,
      created: created(),
      metadata: {},
      status,
      ...fields,
    };
    refunds.push(refund);
    return refund;
  };

  const errorReply = (code: number, error: Rejection): Reply => ({ status: code, body: { error } });
  const create = ({ form, account, key }: Sent): Reply => {
    const known = byKey.get(`${account} ${key}`);
    if (known) return { status: 200, body: known };
    const payment = form.get('payment_intent') ?? '';
    const session = sessionOf(payment);
    if (owners.get(session?.id) !== account)
      return errorReply(404, reject('payment_intent', `No such payment_intent: '${payment}'`, 'resource_missing'));
    const amount = Number(form.get('amount'));
    if (!Number.isSafeInteger(amount)) return errorReply(400, reject('amount', 'Invalid integer.', 'parameter_invalid_integer'));
    const refunded = refundsOf(payment).reduce((sum, one) => sum + (one.status === 'failed' ? 0 : one.amount), 0);
    const remaining = session.amount_total - refunded;
    if (amount > remaining)
      return errorReply(400, reject('amount', `Refund amount (${amount}) is greater than unrefunded amount on charge (${remaining}).`));
    const refund = refundAt(payment, amount, { metadata: metadataOf(form) });
    byKey.set(`${account} ${key}`, refund);
    return { status: 200, body: refund };
  };

  const find: Readonly<Record<string, (id: string) => any>> = {
    refunds: (id) => refunds.find((one) => one.id === id),
    disputes: (id) => disputes.get(id),
    payment_intents(id) {
      const { payment_intent, currency, metadata } = sessionOf(id) ?? {};
      return payment_intent && { ...payment_intent, currency, metadata };
    },
  };

  return {
    refunds,
    profile,
    refundAt,
    refundsBecome(next) {
      status = next;
    },
    forgetRefundKeys: () => byKey.clear(),
    loseNextResponse() {
      lost = 2;
    },
    losesResponse: () => lost > 0 && lost-- > 0,
    dispute(payment, id, now) {
      const dispute = { id, object: 'dispute', status: now, payment_intent: payment, charge: `ch_of_${payment}`, created: created() };
      disputes.set(id, dispute);
      return dispute;
    },
    replyTo(method, path, query, sent) {
      if (path === '/v1/balance') return { status: 200, body: { object: 'balance' } };
      if (path === '/v1/account') return { status: 200, body: { id: 'acct_1', object: 'account', charges_enabled: profile.canCharge } };
      if (path === '/v1/webhook_endpoints')
        return { status: 200, body: { object: 'list', data: profile.endpoints, has_more: false, url: path } };
      const [, kind = '', id = ''] = /^\/v1\/(refunds|disputes|payment_intents)(?:\/(\w+))?$/.exec(path) ?? [];
      if (kind === '') return undefined;
      if (kind === 'refunds' && method === 'POST') return create(sent);
      const data = refundsOf(query.get('payment_intent') ?? query.get('charge'));
      if (kind === 'refunds' && id === '') return { status: 200, body: { object: 'list', data, has_more: false, url: '/v1/refunds' } };
      const resource = find[kind]?.(id);
      const owner = owners.get(sessionOf(resource?.payment_intent ?? resource?.id)?.id);
      return owner === sent.account ? { status: 200, body: resource } : errorReply(404, reject('id', `No such ${kind}: '${id}'`));
    },
  };
};
