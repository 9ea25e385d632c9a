import { expect, test } from '@jest/globals';
import { regions } from '../../shared/core/config.ts';
import { fullContext } from './contexts.ts';
import { propertiesOf, resourcesOf, synthesize } from './synthesize.ts';

/** Prefixes of AWS keys, Stripe keys, our keys and private keys. */
const secretForms = /AKIA[0-9A-Z]{16}|[sr]k_(live|test)_|whsec_|svc_(sk_|pk_)?live_|-----BEGIN/;

/** Every text of a template and the path to it. */
const textsOf = (value: unknown, path = ''): [string, string][] => {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, nested]) => textsOf(nested, `${path}.${name}`));
};

test('no template contains text in the format of a secret', () => {
  for (const context of [{}, fullContext]) {
    for (const region of regions) {
      const texts = textsOf(synthesize(context).templates[region].toJSON());
      expect(texts.filter(([, text]) => secretForms.test(text))).toEqual([]);
      // Callers with DescribeStacks see parameters of a template and values that it resolves during
      // deployment.
      expect(texts.filter(([, text]) => text.includes('{{resolve:'))).toEqual([]);
      expect(Object.keys(synthesize(context).templates[region].findParameters('*'))).toEqual(['BootstrapVersion']);
    }
  }
});

test('the only variable with a secret-like name is the path of the secrets', () => {
  const variables = propertiesOf(synthesize().templates.us, 'AWS::Lambda::Function').flatMap(({ Environment }) =>
    Object.entries((Environment as { Variables: object } | undefined)?.Variables ?? {}),
  );
  const named = variables.filter(([name]) => /SECRET|PASSWORD|TOKEN|CREDENTIAL|(^|_)KEY/.test(name));
  expect(new Set(named.map((pair) => pair.join('=')))).toEqual(new Set(['SECRETS_PREFIX=/BakeryCommerce-us']));
});

test('no stack creates a parameter or secret, because its template would contain the value', () => {
  for (const type of ['AWS::SSM::Parameter', 'AWS::SecretsManager::Secret'])
    expect(resourcesOf(synthesize(fullContext).templates.us, type)).toEqual({});
});
