import { notFound } from '../../shared/core/errors.ts';
import { record, requiredText } from '../../shared/core/fields.ts';
import type { ActionServices, FreeAction } from './action.ts';

const input = record({ key: requiredText() });

interface Parked {
  readonly payload?: string | { readonly Records?: readonly unknown[] };
}

/**
 * Fan-out parks single records. Lambda parks what fan-out could not take for 20 hours: a description of the invocation whose
 * `payload` is the event with its records, as JSON text.
 */
const recordsOf = (json: string): readonly string[] => {
  const { payload } = JSON.parse(json) as Parked;
  if (payload === undefined) return [json];
  const event = typeof payload === 'string' ? (JSON.parse(payload) as Exclude<Parked['payload'], string>) : payload;
  return (event?.Records ?? []).map((one) => JSON.stringify(one));
};

/** How many records there were under the key. */
export const replay = async (services: Pick<ActionServices, 'parking' | 'replay'>, key: string): Promise<number> => {
  const json = await services.parking.fetch(key);
  if (json === undefined) throw notFound('Parked record');
  const records = recordsOf(json);
  for (const one of records) await services.replay(one);
  return records.length;
};

export const replayParked: FreeAction<typeof input> = {
  summary: 'Hands parked records of the change stream to fan-out once more.',
  account: 'none',
  input,
  run: async (services, { key }) => ({ replayed: await replay(services, key), key }),
};
