import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { type ErrorType, type RetryStrategy, standardRetries } from '../../shared/aws/retries.ts';

afterEach(() => void jest.restoreAllMocks());

/** What becomes of calls that fail so often before they succeed: each time another try or the end, and how long it waits, in ms. */
const courseOf = async (strategy: RetryStrategy<any>, calls: readonly (readonly ErrorType[])[], chance: number): Promise<unknown[]> => {
  const course: unknown[] = [];
  jest.spyOn(Math, 'random').mockReturnValue(chance);
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((resolve: () => void, ms: number) => {
    course.push(Math.floor(ms));
    queueMicrotask(resolve);
  }) as unknown as typeof setTimeout);
  try {
    for (const failures of calls) {
      let token: unknown = await strategy.acquireInitialRetryToken('');
      for (const errorType of failures) {
        token =
          token && (await strategy.refreshRetryTokenForRetry(token, { errorType, error: new Error(errorType) }).catch(() => undefined));
        course.push(token ? 'again' : 'no more');
      }
      if (token) strategy.recordSuccess(token);
    }
    return course;
  } finally {
    jest.restoreAllMocks();
  }
};

const strategyOfTheSdk = async (): Promise<RetryStrategy<any>> => {
  const client = new DynamoDBClient({ region: 'eu-west-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' }, maxAttempts: 3 });
  return (await client.config.retryStrategy()) as unknown as RetryStrategy<any>;
};

const failure = fc.constantFrom<ErrorType>('THROTTLING', 'TRANSIENT', 'TRANSIENT', 'SERVER_ERROR', 'CLIENT_ERROR');

test('whatever fails, calls are tried again as often and as late as the SDK tries them, until the quota of retries is used up', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(failure, { maxLength: 3 }), { minLength: 1, maxLength: 120 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      async (calls, chance) => {
        const theirs = await courseOf(await strategyOfTheSdk(), calls, chance);
        expect(await courseOf(standardRetries(3, 25), calls, chance)).toEqual(theirs);
      },
    ),
    { numRuns: 60 },
  );
  const outage = Array.from({ length: 60 }, () => ['TRANSIENT', 'TRANSIENT', 'TRANSIENT'] as const);
  const [theirs, ours] = [await courseOf(await strategyOfTheSdk(), outage, 0.5), await courseOf(standardRetries(3, 25), outage, 0.5)];
  expect(ours).toEqual(theirs);
  // Two for each call while the quota lasts.
  expect(ours.filter((one) => one === 'again').length).toBeLessThan(60 * 2);
});
