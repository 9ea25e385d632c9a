import { jsonLog } from '../../shared/core/log.ts';
import { fallback } from './app.ts';

export const handler = fallback({ log: jsonLog });
