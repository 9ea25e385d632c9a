import { globSync, readFileSync } from 'node:fs';
import * as client from '@aws-sdk/client-dynamodb';
import * as documents from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { readCommand } from '../../../local/engine/client.ts';
import * as names from '../../../local/engine/sdk.ts';

type CommandClass = new (input: object) => object;

test('the local service has each name that the source imports from the SDK for DynamoDB, and no other', () => {
  const imports = globSync('{functions,shared,local}/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^import \{([^}]*)\} from '@aws-sdk\/(?:client|lib)-dynamodb';/gm)].flatMap(([, list = '']) =>
      list.split(',').map((name) => name.trim()),
    ),
  );
  const imported = new Set(imports.filter((name) => name !== '' && !name.startsWith('type ')));
  expect(Object.keys(names).sort()).toEqual([...imported].sort());
});

test.each(Object.keys(names).filter((name) => name.endsWith('Command')))(
  'the local service and the SDK make the same call of %s',
  (name) => {
    const input = { TableName: 'data', Key: { pk: 'a' } };
    const [ours, theirs] = [names, { ...client, ...documents }].map(
      (module) => new ((module as unknown as Record<string, CommandClass>)[name] as CommandClass)(input),
    );
    expect(readCommand(ours as object)).toEqual(readCommand(theirs as object));
  },
);
