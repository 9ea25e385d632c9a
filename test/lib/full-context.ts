/** A deployment that configures everything (docs/configuration.md): some for every region, some for one. */
export const fullContext = {
  'awsRegion.us': 'us-west-2',
  apiDomain: 'api.example.com',
  hostedZoneId: 'Z0123456789ABC',
  hostedZoneName: 'example.com',
  'apiDomain.eu': 'bakery.example.eu',
  'hostedZoneId.eu': 'Z0EUROPE',
  'hostedZoneName.eu': 'example.eu',
  alarmEmail: 'on-call@example.com',
  'alarmTopicArn.us': 'arn:aws:sns:us-west-2:123456789012:on-call',
  'alarmTopicArn.au': 'arn:aws:sns:ap-southeast-2:123456789012:on-call',
  'alarmTopicArn.eu': 'arn:aws:sns:eu-west-1:123456789012:on-call',
  logRetentionDays: '90',
  reservedConcurrency: '{"deliver":100,"orders":50}',
  awsClient: 'sdk',
  secretsPrefix: '/bakery/secrets',
} as const;
