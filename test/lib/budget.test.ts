import { expect, test } from '@jest/globals';
import { fullContext } from './contexts.ts';
import { propertiesOf, synthesize, theOnly } from './synthesize.ts';

test('a budget watches what the AWS account spends a month in the AWS region of the stack', () => {
  const { us, eu } = synthesize(fullContext).templates;
  const { Budget } = theOnly(us, 'AWS::Budgets::Budget');
  expect(Budget).toEqual({
    BudgetType: 'COST',
    TimeUnit: 'MONTHLY',
    BudgetLimit: { Amount: 200, Unit: 'USD' },
    CostFilters: { Region: ['us-west-2'] },
    CostTypes: { IncludeCredit: false, IncludeRefund: false },
  });
  expect(theOnly(eu, 'AWS::Budgets::Budget')['Budget']).toMatchObject({ CostFilters: { Region: ['eu-west-1'] } });
});

test.each([
  ['us', 'arn:aws:sns:us-west-2:123456789012:later'],
  ['eu', 'arn:aws:sns:eu-west-1:123456789012:on-call'],
] as const)('the topic of alarms that can wait and its address get a message at 50, 80 and 100 % of the budget in %s', (region, topic) => {
  const { NotificationsWithSubscribers } = theOnly(synthesize(fullContext).templates[region], 'AWS::Budgets::Budget');
  expect(NotificationsWithSubscribers).toEqual(
    [50, 80, 100].map((Threshold) => ({
      Notification: { NotificationType: 'ACTUAL', ComparisonOperator: 'GREATER_THAN', Threshold, ThresholdType: 'PERCENTAGE' },
      Subscribers: [
        { SubscriptionType: 'EMAIL', Address: 'on-call@example.com' },
        { SubscriptionType: 'SNS', Address: topic },
      ],
    })),
  );
});

test('an app without the key has no budget', () => {
  expect(propertiesOf(synthesize().templates.us, 'AWS::Budgets::Budget')).toEqual([]);
});
