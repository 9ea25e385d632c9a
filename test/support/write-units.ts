import type { World } from './world.ts';

/** Write units of one request, by what they are for. */
export interface WriteUnits {
  readonly bucket: number;
  /** Units that a transaction wrote on the table. */
  readonly records: number;
  readonly indexes: number;
  readonly total: number;
}

/** Makes an expense with an Idempotency-Key and says what it wrote. */
export const measureCreate = async (world: World, key: string, members: object): Promise<WriteUnits> => {
  const body = { amount: 12.5, date: '2026-03-05', category: 'ingredients', ...members };
  world.wire.reset();
  const { status } = await world.request('POST', '/expenses', { key, body, headers: { 'Idempotency-Key': crypto.randomUUID() } });
  if (status !== 201) throw new Error(`The expense was answered with ${status}.`);
  const written = world.wire.calls.filter(({ operation }) => operation !== 'BatchGetItem');
  const indexes = written.reduce((units, call) => units + call.indexUnits, 0);
  const of = (name: string) => written.filter(({ operation }) => operation === name).reduce((units, call) => units + call.capacityUnits, 0);
  return {
    bucket: of('UpdateItem'),
    records: of('TransactWriteItems') - indexes,
    indexes,
    total: written.reduce((units, call) => units + call.capacityUnits, 0),
  };
};
