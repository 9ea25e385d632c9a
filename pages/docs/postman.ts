import type { Region } from '../../shared/core/config.ts';
import type { SampleTarget } from './samples.ts';

/** Name of the collection in `docs/` and on the site. */
export const collectionFile = 'postman.json';

/** Name of an environment on the site: of a region, or `local`. */
export const environmentFile = (name: Region | 'local'): string => `postman-${name}.json`;

export type PostmanTarget = Pick<SampleTarget, 'base' | 'key' | 'publishableKey'>;

export const regionTarget = (region: Region): PostmanTarget => ({
  base: `https://${region}.api.example.com/api/v2`,
  key: undefined,
  publishableKey: undefined,
});

/** Returns a Postman environment with the variables of the collection. */
export const postmanEnvironment = (name: string, { base, key = '', publishableKey = '' }: PostmanTarget): string => {
  const values = [
    { key: 'BAKERY_URL', value: base, type: 'default', enabled: true },
    { key: 'BAKERY_API_KEY', value: key, type: 'secret', enabled: true },
    { key: 'BAKERY_PUBLISHABLE_KEY', value: publishableKey, type: 'secret', enabled: true },
  ];
  return `${JSON.stringify({ name: `Bakery Commerce: ${name}`, values, _postman_variable_scope: 'environment' }, null, 2)}\n`;
};
