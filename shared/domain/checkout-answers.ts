import type { CustomerDetails } from './customer-input.ts';
import type { Address } from './extra-members.ts';

/** What the hosted page can ask a shopper, in the order of its form. */
export const answerNames = ['first_name', 'last_name', 'email', 'phone', 'delivery_address'] as const;
export type AnswerName = (typeof answerNames)[number];

/** What a cart says already. */
export interface Said {
  readonly customer: CustomerDetails | null;
  readonly delivery_type: string;
  readonly delivery_address: Address | null;
}

/** What has to be asked besides: who the shopper is, and where a delivery goes. */
export const missingAnswers = ({ customer, delivery_type, delivery_address }: Said): readonly AnswerName[] => {
  const needsName = !customer?.last_name && !customer?.first_name && !customer?.company;
  return [
    ...(needsName ? (['first_name', 'last_name'] as const) : []),
    ...(customer?.email ? [] : (['email'] as const)),
    ...(customer ? [] : (['phone'] as const)),
    ...(delivery_type !== 'pickup' && !delivery_address ? (['delivery_address'] as const) : []),
  ];
};
