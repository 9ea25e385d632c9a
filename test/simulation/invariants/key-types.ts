import { type Crossing, madeBy } from '../people/journal.ts';
import type { Evidence, Invariant } from './invariant.ts';

const codeOf = (text: string): string => (JSON.parse(text) as { readonly error: { readonly code?: string } }).error.code ?? '';

const idsOf = ({ tries }: Crossing): ReadonlySet<string> => new Set(tries.flatMap((seen) => madeBy({ seen }) ?? []));

/**
 * Returns rejections that only a request with the other type of key explains. Each type always
 * sends the same request.
 */
const crossed = ({ tries, type, idempotencyKey }: Crossing): readonly string[] =>
  tries.flatMap(({ response, disturbed }, i) => {
    const code = response && response.status >= 400 && response.status < 500 && response.status !== 429 ? codeOf(response.text) : '';
    const isFirst = i === 0 && (response?.replayed === true || (code === 'request_in_flight' && !disturbed));
    return isFirst || code === 'idempotency_key_reused'
      ? [`${idempotencyKey} of a ${type} key was answered with ${response?.status} ${code} for what the other type of key sent.`]
      : [];
  });

export const keyTypesApart: Invariant = {
  number: 2,
  name: 'an Idempotency-Key of one type of API key is neither used up nor replayed by the other',
  only: ['shop'],
  breaches: ({ journal: { crossings } }: Evidence) =>
    crossings.flatMap((crossing) => {
      const other = crossings.find(
        ({ account, idempotencyKey, type }) =>
          account === crossing.account && idempotencyKey === crossing.idempotencyKey && type !== crossing.type,
      );
      const [ids, others] = [idsOf(crossing), other ? idsOf(other) : new Set()];
      const shared = [...ids].filter((id) => others.has(id));
      return [
        ...crossed(crossing),
        ...shared.map((id) => `${crossing.idempotencyKey} gave ${id} to both types of key.`),
        ...(ids.size > 1 ? [`${crossing.idempotencyKey} of a ${crossing.type} key made ${[...ids].join(' and ')}.`] : []),
      ];
    }),
};
