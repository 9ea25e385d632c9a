import type { ActionName } from '../../../functions/actions/index.ts';
import type { Cases } from '../case.ts';
import { accountCases, accountRequests } from './account.ts';
import { goodsCases, goodsRequests } from './goods.ts';
import { noticeCases } from './notices.ts';
import { orderCases, orderRequests } from './orders.ts';
import { paymentCases } from './payments.ts';
import { peopleCases, peopleRequests } from './people.ts';

/** Cases of each action by its name; `no record` for actions on queues, which touch no account. A new action without an entry does not compile. */
export const actionCases: Readonly<Record<ActionName, Cases | 'no record'>> = {
  ...accountCases,
  ...goodsCases,
  ...orderCases,
  ...paymentCases,
  ...peopleCases,
  'queue.status': 'no record',
  'queue.peek': 'no record',
  'queue.redrive': 'no record',
  'queue.discard': 'no record',
  'stream.check_parking': 'no record',
  'stream.replay': 'no record',
} satisfies Record<ActionName, Cases | 'no record'>;

export { noticeCases };

export const requestCases: Cases = { ...accountRequests, ...goodsRequests, ...orderRequests, ...peopleRequests };
