import { freePorts, startService } from '../support/service.ts';

/**
 * `node test/all/first-requests.ts`: starts the service, and sends its health check and ten requests
 * that read and write. The workflow runs it on each system that the README
 * names. Exits with 1 if a response is not the expected one.
 */
const service = await startService({ port: await freePorts(), args: ['--ephemeral', '--no-seed'], through: 'node' });
try {
  const { id } = await service.action('us', 'account.create', { name: 'First requests', plan: 'business', currency: 'USD' });
  const { key } = await service.action('us', 'key.create', { type: 'secret', group: 'fullAccess', name: 'first' }, String(id));
  const send = async (expected: number, path: string, body?: object): Promise<void> => {
    const { status } = await fetch(`${service.origin('us')}/api/v2${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (status !== expected) throw new Error(`${path}: ${status}, not ${expected}`);
  };
  const health = await fetch(`http://127.0.0.1:${service.port}/_local/health`);
  if (health.status !== 200) throw new Error(`health: ${health.status}`);
  const expense = { amount: 12.5, date: '2026-11-28', category: 'ingredients' };
  const order = { customer: { email: 'ada@example.com' }, items: [{ name: 'Cake', quantity: 1, unit_price: 40 }] };
  for (let round = 0; round < 2; round++) {
    await send(201, '/expenses', expense);
    await send(200, '/expenses?limit=1');
    await send(201, '/orders', order);
    await send(200, '/orders?sort=updatedAt');
    await send(404, '/orders/ord_none');
  }
  process.stdout.write(`Ten requests have the expected responses on ${process.platform} ${process.arch}.\n`);
} finally {
  await service.stop();
}
