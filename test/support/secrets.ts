import { openSecrets, type Secrets } from '../../shared/providers/secrets.ts';
import { createClock } from './clock.ts';

/** The service's own resolution over parameters that a test holds, `{ '<account>/<name>': secret }`; the reasons are Parameter Store's. */
export const secretsOf = (parameters: Readonly<Record<string, string>> = {}, clock = createClock()): Secrets =>
  openSecrets({
    clock,
    read: async (parameter) => {
      const secret = parameters[parameter];
      if (secret === undefined) throw new Error('400 ParameterNotFound');
      return secret;
    },
  });
