import { expect, test } from '@jest/globals';
import { requireEnv, requireRegion } from '../../shared/core/config.ts';

test('the named variables are read, and no other', () => {
  expect(requireEnv({ TABLE_NAME: 't', BUCKETS_TABLE_NAME: 'b', AWS_REGION: 'r' }, ['TABLE_NAME', 'BUCKETS_TABLE_NAME'])).toEqual({
    TABLE_NAME: 't',
    BUCKETS_TABLE_NAME: 'b',
  });
});

test('every missing or empty variable is named at once', () => {
  expect(() => requireEnv({ TABLE_NAME: '' }, ['TABLE_NAME', 'PARKING_BUCKET'])).toThrow(
    'Missing environment variables: TABLE_NAME, PARKING_BUCKET',
  );
});

test('the region is one of the three', () => {
  expect(requireRegion({ SERVICE_REGION: 'eu' })).toBe('eu');
  expect(() => requireRegion({ SERVICE_REGION: 'us-east-1' })).toThrow('us, au, eu');
  expect(() => requireRegion({})).toThrow('SERVICE_REGION');
});
