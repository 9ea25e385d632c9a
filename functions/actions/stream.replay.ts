import { notFound } from '../../shared/core/errors.ts';
import { record, requiredText } from '../../shared/core/fields.ts';
import type { FreeAction } from './action.ts';

const input = record({ key: requiredText() });

export const replayParked: FreeAction<typeof input> = {
  summary: 'Hands a parked record of the change stream to fan-out once more.',
  account: 'none',
  input,
  async run({ parking, replay }, { key }) {
    const json = await parking.fetch(key);
    if (json === undefined) throw notFound('Parked record');
    await replay(json);
    return { replayed: true, key };
  },
};
