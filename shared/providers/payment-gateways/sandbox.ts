import { createHash, timingSafeEqual } from 'node:crypto';
import { invalidValue } from '../../core/errors.ts';
import { addMoney, divideMoney, multiplyMoney, storedDecimalsOf } from '../../core/money.ts';
import { declines } from '../../domain/checkout/declines.ts';
import type { CheckoutSession } from '../../domain/checkout/record.ts';
import type { Approval, Charge } from '../../domain/checkout/rules.ts';
import { NoticeRejected, type PaymentGateway } from './gateway.ts';

const cards = { '4242424242424242': 'approve', '4000000000000002': 'decline', '4000000000003220': 'pending' } as const;
type SandboxBehaviour = (typeof cards)[keyof typeof cards];

/** Test cards and the result of each, which the page shows. */
export const sandboxCards: readonly { readonly number: string; readonly behaviour: SandboxBehaviour }[] = Object.entries(cards).map(
  ([digits, behaviour]) => ({ number: digits.replace(/(.{4})(?=.)/g, '$1 '), behaviour }),
);

const digest = (...parts: readonly string[]): Buffer => createHash('sha256').update(parts.join('\n')).digest();

/**
 * Returns the same id for the same payment, so that a repeated call is the same charge although
 * nothing is stored.
 */
const transactionId = (key: string, method: string): string => `sbx_${digest(key, method).toString('hex').slice(0, 24)}`;

/**
 * Returns a fee of 2.9 % and 0.30, rounded once. The sum of 29 times the total and 300 is a
 * thousand times the fee.
 */
const feeOf = ({ total, currency }: CheckoutSession): number =>
  divideMoney(addMoney(multiplyMoney(total, 29), 300), 1_000, storedDecimalsOf(currency));

const approval = (session: CheckoutSession, transaction_id: string, last4: string): Approval => ({
  gateway: 'sandbox',
  transaction_id,
  fee: feeOf(session),
  method: 'card',
  method_details: { brand: 'visa', last4, wallet_type: null },
});

const sameText = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/**
 * The built-in gateway with test cards. It takes no money, uses no network and keeps only a card's
 * last four digits. If `retired` is set, the account has another gateway now: every payment is
 * declined with this message.
 */
export const sandboxGateway = (retired?: string): PaymentGateway => ({
  name: 'sandbox',
  keys: null,
  takesCards: true,
  method(form) {
    const digits = (form.get('card_number') ?? '').replace(/[\s-]/g, '');
    if (!Object.hasOwn(cards, digits)) throw invalidValue('card_number', digits ? 'Use one of the test cards.' : 'Enter a card number.');
    return digits.slice(-4);
  },
  async charge(session, last4, idempotencyKey) {
    const transaction_id = transactionId(idempotencyKey, last4);
    if (retired !== undefined) return { kind: 'declined', transaction_id, message: retired };
    const behaviour = Object.entries(cards).find(([digits]) => digits.endsWith(last4))?.[1];
    if (behaviour === 'approve') return { kind: 'approved', ...approval(session, transaction_id, last4) };
    if (behaviour === 'pending') return { kind: 'pending', transaction_id };
    return { kind: 'declined', transaction_id, message: declines.card };
  },
  check: async () => undefined,
  // The sandbox has no page of its own.
  endPage: async () => undefined,
  async readNotice({ body }) {
    const form = new URLSearchParams(body);
    const [session = '', transaction_id = '', token = '', answer] = ['session', 'transaction_id', 'token', 'answer'].map(
      (name) => form.get(name) ?? '',
    );
    return {
      session,
      async judge(stored): Promise<Charge> {
        // In place of a bank's signed notice, only the session's page can send this.
        const isPending =
          transaction_id !== '' && stored.payment?.gateway === 'sandbox' && stored.payment.transaction_id === transaction_id;
        if (!sameText(token, stored.token) || !isPending) throw new NoticeRejected('The notice was not sent by the page of this payment.');
        if (retired !== undefined || answer !== 'approve') return { kind: 'declined', transaction_id, message: retired ?? declines.card };
        return { kind: 'approved', ...approval(stored, transaction_id, stored.payment?.method ?? '') };
      },
    };
  },
});
