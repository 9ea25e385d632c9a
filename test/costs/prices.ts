/**
 * List prices of us-east-1 in US dollars, on demand, without any free tier, savings plan or
 * reservation. A month has 730 hours. Every sum of money in tests and documents is calculated from
 * these prices.
 */
export const prices = {
  requestMillion: {
    httpApi: 1,
    lambda: 0.2,
    readUnit: 0.125,
    writeUnit: 0.625,
    sqs: 0.4,
    scheduler: 1,
    waf: 0.6,
    cloudFront: 1,
    cloudFrontFunction: 0.1,
    s3Read: 0.4,
  },
  /** arm64. */
  lambdaGbSecond: 0.0000133334,
  /** By log group class. */
  logGb: { STANDARD: 0.5, INFREQUENT_ACCESS: 0.25 },
  alarmMetricMonth: 0.1,
  customMetricMonth: 0.3,
  dashboardMonth: 3,
  keyMonth: 1,
  secretMonth: 0.4,
  parameterStore: { advancedMonth: 0.05, callTenThousand: 0.05 },
  webAcl: { month: 5, ruleMonth: 1 },
  table: { storageGbMonth: 0.25, pointInTimeRecoveryGbMonth: 0.2, backupGbMonth: 0.1, backupTransferGb: 0.02 },
  /** Linux on arm64, per hour. */
  fargate: { vcpu: 0.03238, gb: 0.00356 },
  loadBalancer: { hour: 0.0225, capacityUnitHour: 0.008 },
  publicAddressHour: 0.005,
  /** PostgreSQL in two zones: twice the instance and its gp3 storage. */
  database: { 'db.t4g.medium': 0.13, 'db.r8g.large': 0.478, storageGbMonth: 0.23 },
} as const;

export const hoursAMonth = 730;
export const secondsAMonth = hoursAMonth * 3600;

/** Returns the price of a quantity with a price per million. */
export const perMillion = (price: number, count: number): number => (price * count) / 1_000_000;
