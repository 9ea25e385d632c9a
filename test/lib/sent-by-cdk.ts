import { stringify } from 'yaml';

/**
 * Returns a template as `cdk deploy` sends it: YAML without line breaks in texts. It takes 51,200
 * characters without an upload. `npm run test:deploy` compares it with what the command sent.
 */
export const sentByCdk = (template: unknown): string => stringify(template, { schema: 'yaml-1.1', lineWidth: 0 });
