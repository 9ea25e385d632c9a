/** The same short program in every runtime. Returns what it saw. */
module.exports = async ({ ApiError, createClient, verifyWebhook }, { url, key, secret, body, signature }) => {
  const client = createClient({ apiKey: key, baseUrl: url });
  const { expense_categories } = await client.reference.listExpenseCategories();
  const create = (amount) =>
    client.expenses.create({ amount, date: '2026-03-01', category: 'Rent' }, { idempotencyKey: `rent-${amount}-${Date.now() >> 30}` });
  const ids = [(await create(1200)).id, (await create(1200)).id];
  const error = await client.expenses.create({ amount: 0, date: '2026-03-01', category: 'rent' }).catch((failure) => failure);
  const verify = (text) => verifyWebhook({ rawBody: text, headers: { 'x-webhook-signature': signature }, secrets: secret });
  const event = await verify(body);
  const forged = await verify(`${body} `).catch((failure) => failure);
  const controller = new AbortController();
  const listing = client.orders.list({}, { signal: controller.signal }).catch((failure) => failure);
  controller.abort();
  return [
    expense_categories.length,
    ids[0] === ids[1],
    error instanceof ApiError && `${error.status} ${error.code} ${error.field}`,
    event.type,
    forged.reason,
    (await listing).name,
  ];
};
