import { type BlockedDate, blockedDatesOf, type RecurringRule, recurringRulesOf } from '../../shared/domain/reference/rules.ts';
import type * as wire from '../../shared/domain/reference/wire.ts';
import type { ApiServices } from '../../shared/http/operation.ts';
import { fromSettings, isMerchant } from './settings-operation.ts';

/** What shoppers read in place of a reason. */
export const publicReason = 'unavailable';

const dateView = ({ id, date, reason, is_holiday, holiday_name }: BlockedDate, merchant: boolean): wire.BlockedDate => ({
  id,
  date,
  reason: merchant ? reason : publicReason,
  is_holiday,
  holiday_name: merchant ? holiday_name : null,
});

/** Rules never expose a reason, not even to the merchant. */
const ruleView = ({ id, type, days_of_week, enabled, start_date, end_date }: RecurringRule): wire.RecurringRule => ({
  id,
  type,
  days_of_week,
  enabled,
  start_date,
  end_date,
});

/** The full configured set. */
export const listBlockedDates = (services: ApiServices) =>
  fromSettings(
    services,
    (settings, call): wire.BlockedDateList => ({
      dates: blockedDatesOf(settings).map((date) => dateView(date, isMerchant(call))),
      recurring_rules: recurringRulesOf(settings).map(ruleView),
    }),
  );
