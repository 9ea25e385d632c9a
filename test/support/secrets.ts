import { openSecrets, type Secrets } from '../../shared/providers/secrets.ts';
import { createClock } from './clock.ts';

/** Invalid references. Settings reject them, and no function resolves them. */
export const malformedReferences: readonly string[] = [
  ...['ssm:', 'ssm:.', 'ssm:..', 'ssm:...', 'ssm:/', 'ssm:/x', 'ssm:x/', 'ssm:a//b', 'ssm://x'],
  ...['ssm:../acct_other/key', 'ssm:a/../b', 'ssm:a/..', 'ssm:./a', 'ssm:a/.', 'ssm:a/.../b'],
  ...['ssm:a\\b', 'ssm:%2e%2e/a', 'ssm:a b', 'ssm:a\nb', 'ssm: a', 'ssm:ä'],
  ...['ssm:*', 'ssm:a?', 'ssm:a:1', 'ssm:ssm:a', 'ssm:a#b', 'ssm:{a}'],
  ...['ssm:a/b/c/d/e/f', `ssm:${'a'.repeat(101)}`, `ssm:a/${'b'.repeat(101)}`],
];

/**
 * The service's resolution of references, over parameters of a test:
 * `{ '<account>/<name>': secret }`. Errors are Parameter Store's.
 */
export const secretsOf = (parameters: Readonly<Record<string, string>> = {}, clock = createClock()): Secrets =>
  openSecrets({
    clock,
    log: () => {},
    read: async (parameter) => {
      const secret = parameters[parameter];
      if (secret === undefined) throw new Error('400 ParameterNotFound');
      return secret;
    },
  });
