import { systemClock } from '../../shared/core/clock.ts';
import { requireRegion } from '../../shared/core/config.ts';
import { jsonLog } from '../../shared/core/log.ts';
import { fallback } from './app.ts';

export const handler = fallback({ clock: systemClock, log: jsonLog, region: requireRegion(process.env) });
