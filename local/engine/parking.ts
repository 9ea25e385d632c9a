import type { Region } from '../../shared/core/regions.ts';
import type { ParkingLot } from '../../shared/providers/parking.ts';
import type { State } from './state.ts';

export const openParking = (state: State, region: Region): ParkingLot => {
  const put = state.prepare('INSERT OR REPLACE INTO parked (region, key, json) VALUES (?, ?, ?)');
  const get = state.prepare('SELECT json FROM parked WHERE region = ? AND key = ?');
  return {
    async park(key, json) {
      put.run(region, key, json);
    },
    async fetch(key) {
      const json = get.get(region, key)?.['json'];
      return typeof json === 'string' ? json : undefined;
    },
  };
};
