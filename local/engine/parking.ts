import type { Region } from '../../shared/core/config.ts';
import { isNoticed } from '../../shared/core/parking-keys.ts';
import type { ParkingLot } from '../../shared/providers/parking.ts';
import type { Queue } from '../../shared/providers/queue.ts';
import type { State } from './state.ts';

/** Returns S3's notice of a new object. */
const noticeOf = (key: string): string =>
  JSON.stringify({
    Records: [{ eventSource: 'aws:s3', eventName: 'ObjectCreated:Put', s3: { object: { key: encodeURIComponent(key) } } }],
  });

export const openParking = (state: State, region: Region, notices: Queue): ParkingLot => {
  const put = state.prepare('INSERT OR REPLACE INTO parked (region, key, json) VALUES (?, ?, ?)');
  const get = state.prepare('SELECT json FROM parked WHERE region = ? AND key = ?');
  return {
    async park(key, json) {
      put.run(region, key, json);
      if (isNoticed(key)) await notices.send([{ body: noticeOf(key), groupId: region }]);
    },
    async fetch(key) {
      const json = get.get(region, key)?.['json'];
      return typeof json === 'string' ? json : undefined;
    },
  };
};
