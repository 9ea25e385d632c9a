import { createHash } from 'node:crypto';
import { stripTypeScriptTypes } from 'node:module';

/**
 * Jest transformer: erases types in place (positions stay), exactly as `node file.ts` does, so
 * coverage needs no source maps.
 */
export default {
  process(source) {
    return { code: stripTypeScriptTypes(source, { mode: 'strip' }) };
  },
  getCacheKey(source, path, options) {
    return createHash('sha256').update(source).update(path).update(options.configString).update(process.version).digest('hex');
  },
};
