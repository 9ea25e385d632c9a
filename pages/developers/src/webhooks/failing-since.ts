import type { Endpoint } from '../contract.ts';

/** From the first attempt of a delivery to the last. */
const scheduleMs = (26 * 60 + 35) * 60_000;

/**
 * Returns the earliest moment of an event that may have failed since the last success: an attempt
 * after it may be the last of an event that is a whole retry schedule older.
 */
export const failingSince = ({
  delivery_stats: { last_success_at },
  created_at,
}: Pick<Endpoint, 'delivery_stats' | 'created_at'>): string =>
  last_success_at === null
    ? created_at
    : new Date(Math.max(Date.parse(created_at), Date.parse(last_success_at) - scheduleMs)).toISOString();
