import { expect, test } from '@jest/globals';
import { requireEnv, requireRegion } from '../../shared/core/config.ts';

test('requireEnv returns the named variables only', () => {
  expect(requireEnv({ TABLE_NAME: 't', BUCKETS_TABLE_NAME: 'b', AWS_REGION: 'r' }, ['TABLE_NAME', 'BUCKETS_TABLE_NAME'])).toEqual({
    TABLE_NAME: 't',
    BUCKETS_TABLE_NAME: 'b',
  });
});

test('requireEnv throws with the names of all missing or empty variables', () => {
  expect(() => requireEnv({ TABLE_NAME: '' }, ['TABLE_NAME', 'PARKING_BUCKET'])).toThrow(
    'Missing environment variables: TABLE_NAME, PARKING_BUCKET',
  );
});

test('the region must be one of the three', () => {
  expect(requireRegion({ SERVICE_REGION: 'eu' })).toBe('eu');
  expect(() => requireRegion({ SERVICE_REGION: 'us-east-1' })).toThrow('us, au, eu');
  expect(() => requireRegion({})).toThrow('SERVICE_REGION');
});
