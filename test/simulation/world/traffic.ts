import type { Request } from './http.ts';
import type { Region, Seen } from './region.ts';

/** A request of the API, and when it was sent and answered, by the world's clock. */
export interface Exchange extends Seen {
  readonly request: Request;
  readonly sentMs: number;
  readonly endedMs: number;
}

/** The region, every request of which is noted as it ends. */
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
