/** Name of an operation in the clients of every language, and when they may repeat it. */

interface Named {
  readonly operationId: string;
  readonly path: string;
}

interface Repeated {
  readonly operationId: string;
  readonly verb: string;
  readonly parameters?: readonly { readonly $ref?: string }[];
}

export const capital = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`;

/** As Python spells a name: `list_events` of `listEvents`. */
export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Resource and method: the first segment of the path, and the operation's id without the name of
 * the resource. `listWebhookEvents` of `webhooks` is `listEvents`, `getAvailability` is `retrieve`.
 */
export const methodOf = ({ operationId, path }: Named): readonly [resource: string, method: string] => {
  const [, resource = ''] = path.split('/');
  const [, verb = '', rest = ''] = /^([a-z]+)(.*)$/.exec(operationId) ?? [];
  const singular = capital(resource).replace(/s$/, '');
  return [resource, `${verb === 'get' ? 'retrieve' : verb}${rest.replace(new RegExp(`^${singular}s?(?![a-z])`), '')}`];
};

/** Repeated after any failure, though it is a POST: what it makes is nowhere kept. */
const keepsNothing: readonly string[] = ['createSearchToken'];

/**
 * `freely` after any failure; `keyed` with one Idempotency-Key for all attempts; `never` if the
 * first attempt may have been carried out.
 */
export const repeatableOf = ({ operationId, verb, parameters = [] }: Repeated): 'freely' | 'keyed' | 'never' => {
  if (verb.toUpperCase() === 'GET' || keepsNothing.includes(operationId)) return 'freely';
  return parameters.some(({ $ref }) => $ref === '#/components/parameters/IdempotencyKey') ? 'keyed' : 'never';
};
