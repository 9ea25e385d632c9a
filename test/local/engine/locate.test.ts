import { expect, test } from '@jest/globals';
import { type EngineSurroundings, locateEngine } from '../../../local/engine/locate.ts';

const machine = (has: {
  packages?: Record<string, string>;
  files?: readonly string[];
  env?: Record<string, string>;
  platform?: NodeJS.Platform;
}): EngineSurroundings => ({
  platform: has.platform ?? 'linux',
  env: has.env ?? {},
  packageFolder: (name) => has.packages?.[name],
  exists: (path) => has.files?.includes(path) ?? false,
});
const simulator = { packages: { 'amplify-dynamodb-simulator': '/n/sim' }, jar: '/n/sim/emulator/DynamoDBLocal.jar' };

test('the engine binary comes first, whatever else there is', () => {
  const found = locateEngine(
    machine({
      packages: { '@dynoxide/linux-x64': '/n/dyn', ...simulator.packages },
      files: ['/n/dyn/dynoxide', simulator.jar, '/usr/bin/java'],
      env: { PATH: '/usr/bin', AWS_ENDPOINT_URL_DYNAMODB: 'http://localhost:8000' },
    }),
  );
  expect(found).toEqual({ kind: 'dynoxide', program: '/n/dyn/dynoxide' });
});

test('DynamoDB Local runs where Java is on the path', () => {
  const found = locateEngine(
    machine({ packages: simulator.packages, files: [simulator.jar, '/opt/java'], env: { PATH: '/usr/bin:/opt' } }),
  );
  expect(found).toEqual({ kind: 'dynamodb-local', java: '/opt/java', folder: '/n/sim/emulator' });
});

test('DynamoDB Local runs where JAVA_HOME says so', () => {
  const found = locateEngine(
    machine({ packages: simulator.packages, files: [simulator.jar, '/jdk/bin/java'], env: { JAVA_HOME: '/jdk' } }),
  );
  expect(found).toMatchObject({ kind: 'dynamodb-local', java: '/jdk/bin/java' });
});

test('on Windows Java is not used', () => {
  const env = { JAVA_HOME: '/jdk' };
  const found = machine({ packages: simulator.packages, files: [simulator.jar, '/jdk/bin/java'], env, platform: 'win32' });
  expect(locateEngine(found)).toBeUndefined();
});

test('without Java the endpoint of the environment is used', () => {
  const found = locateEngine(
    machine({
      packages: simulator.packages,
      files: [simulator.jar],
      env: { PATH: '/usr/bin', AWS_ENDPOINT_URL_DYNAMODB: 'http://localhost:8000' },
    }),
  );
  expect(found).toEqual({ kind: 'endpoint', url: 'http://localhost:8000' });
});

test('with nothing at all there is no engine', () => {
  expect(locateEngine(machine({ env: { PATH: '/usr/bin' } }))).toBeUndefined();
});
