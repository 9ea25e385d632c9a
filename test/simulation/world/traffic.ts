import type { Request } from './http.ts';
import type { Region, Seen } from './region.ts';

/** A request of the API, with the times of its start and end. */
export interface Exchange extends Seen {
  readonly request: Request;
  readonly sentMs: number;
  readonly endedMs: number;
}

/** Returns the region with a client that records every request at its end. */
export const noting = (region: Region, traffic: Exchange[]): Region => ({
  ...region,
  async request(request) {
    const { now } = region.world.scheduler;
    const sentMs = now();
    const seen = await region.request(request);
    traffic.push({ ...seen, request, sentMs, endedMs: now() });
    return seen;
  },
});
