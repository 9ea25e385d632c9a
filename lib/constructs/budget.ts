import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import type { AlarmReceivers } from '../regions.ts';

/** Shares of the budget, in percent, at which the receivers get a message. */
const thresholds = [50, 80, 100];

/**
 * Creates a monthly budget for what the AWS account spends in an AWS region. It is filtered by
 * region and not by tag, because a tag counts only after the payer's account has activated it. It
 * has no name, because CloudFormation replaces a budget if its receivers change, and a name must be
 * unique.
 */
export const createBudget = (scope: Construct, dollars: number, awsRegion: string, receivers: AlarmReceivers): void => {
  const { email, topicArn, laterTopicArn = topicArn } = receivers;
  const subscribers = [
    ...(email === undefined ? [] : [{ subscriptionType: 'EMAIL', address: email }]),
    ...(laterTopicArn === undefined ? [] : [{ subscriptionType: 'SNS', address: laterTopicArn }]),
  ];
  new CfnBudget(scope, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: dollars, unit: 'USD' },
      costFilters: { Region: [awsRegion] },
      // Credits would hide what the usage costs.
      costTypes: { includeCredit: false, includeRefund: false },
    },
    notificationsWithSubscribers: thresholds.map((threshold) => ({
      notification: { notificationType: 'ACTUAL', comparisonOperator: 'GREATER_THAN', threshold, thresholdType: 'PERCENTAGE' },
      subscribers,
    })),
  });
};
