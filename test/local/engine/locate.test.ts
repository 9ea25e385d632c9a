import { describe, expect, test } from '@jest/globals';
import { type EngineSurroundings, locateEngine, noEngine, thisMachine } from '../../../local/engine/locate.ts';

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

test('the engine of the package comes before Java and the endpoint', () => {
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

describe('the program on the path', () => {
  const files = ['/home/me/bin/dynoxide', simulator.jar, '/usr/bin/java'];

  test('the program on the path is used if the package has no binary for the platform, before Java', () => {
    const env = { PATH: '/usr/bin:/home/me/bin', AWS_ENDPOINT_URL_DYNAMODB: 'http://localhost:8000' };
    const found = locateEngine(machine({ platform: 'darwin', packages: simulator.packages, files, env }));
    expect(found).toEqual({ kind: 'dynoxide', program: '/home/me/bin/dynoxide' });
  });

  test('the program on the path comes before the package, because a build for this machine can be three times as fast', () => {
    const packages = { '@dynoxide/linux-x64': '/n/dyn' };
    const found = locateEngine(machine({ packages, files: [...files, '/n/dyn/dynoxide'], env: { PATH: '/home/me/bin' } }));
    expect(found).toEqual({ kind: 'dynoxide', program: '/home/me/bin/dynoxide' });
  });

  test('the program on the path comes after the one that DYNOXIDE names', () => {
    const env = { PATH: '/home/me/bin', DYNOXIDE: '/opt/glibc/dynoxide' };
    const found = locateEngine(machine({ files: [...files, '/opt/glibc/dynoxide'], env }));
    expect(found).toEqual({ kind: 'dynoxide', program: '/opt/glibc/dynoxide' });
  });

  test('the program on the path does not replace a missing program that DYNOXIDE names', () => {
    const env = { PATH: '/home/me/bin', DYNOXIDE: '/no/such/program' };
    expect(locateEngine(machine({ files, env }))).toEqual({ kind: 'dynoxide', program: '/no/such/program' });
  });

  test('the program on the path is not found in a folder of the path that cannot be read', () => {
    // No system takes a path of this length; another user's folder fails in the same way.
    const PATH = `/${'a'.repeat(5_000)}`;
    expect(locateEngine({ ...machine({ env: { PATH } }), exists: thisMachine.exists })).toBeUndefined();
  });

  test('the program is not looked for in the current folder, which an empty entry of the path means', () => {
    expect(locateEngine(machine({ files: ['dynoxide', '/dynoxide'], env: { PATH: '::/usr/bin:' } }))).toBeUndefined();
  });
});

describe('Windows', () => {
  const jar = 'C:\\n\\sim\\emulator\\DynamoDBLocal.jar';
  const onWindows = (files: readonly string[], env: Record<string, string>) =>
    locateEngine(machine({ platform: 'win32', packages: { 'amplify-dynamodb-simulator': 'C:\\n\\sim' }, files: [jar, ...files], env }));
  const javaAt = (java: string) => ({ kind: 'dynamodb-local', java, folder: 'C:\\n\\sim\\emulator' });

  test('Java is found in JAVA_HOME', () => {
    const java = 'C:\\Program Files\\Java\\jdk-17\\bin\\java.exe';
    expect(onWindows([java], { JAVA_HOME: 'C:\\Program Files\\Java\\jdk-17' })).toEqual(javaAt(java));
  });

  test('Java is found on the path, if its folders are quoted', () => {
    const java = 'C:\\Program Files\\Java\\bin\\java.exe';
    expect(onWindows([java], { PATH: 'C:\\Windows;"C:\\Program Files\\Java\\bin";C:\\Tools' })).toEqual(javaAt(java));
  });

  test.each(['C:\\Tools\\java', 'C:\\Tools\\java.bat', 'C:\\Tools\\java.cmd'])(
    'a program that only a shell could start is skipped on Windows: %s',
    (file) => {
      expect(onWindows([file], { PATH: 'C:\\Tools' })).toBeUndefined();
    },
  );

  test('a colon does not end an entry of the path', () => {
    expect(onWindows(['C', '\\Tools\\java.exe'], { PATH: 'C:\\Tools' })).toBeUndefined();
  });

  test('the engine is found on the path as a program', () => {
    const program = 'D:\\bin\\dynoxide.exe';
    expect(onWindows([program], { PATH: 'D:\\bin' })).toEqual({ kind: 'dynoxide', program });
  });
});

test('a JAVA_HOME that leads nowhere leaves the path to be looked at', () => {
  const env = { JAVA_HOME: '/gone', PATH: '/opt' };
  const found = locateEngine(machine({ packages: simulator.packages, files: [simulator.jar, '/opt/java'], env }));
  expect(found).toMatchObject({ java: '/opt/java' });
});

test('the error names each remedy if no engine is found', () => {
  for (const way of ['dynoxide', 'PATH', 'DYNOXIDE', 'Java 17', 'JAVA_HOME', 'AWS_ENDPOINT_URL_DYNAMODB', 'docs/local-service.md'])
    expect(noEngine).toContain(way);
});

test('the endpoint of the environment is used if there is no Java', () => {
  const found = locateEngine(
    machine({
      packages: simulator.packages,
      files: [simulator.jar],
      env: { PATH: '/usr/bin', AWS_ENDPOINT_URL_DYNAMODB: 'http://localhost:8000' },
    }),
  );
  expect(found).toEqual({ kind: 'endpoint', url: 'http://localhost:8000' });
});

test('locateEngine finds no engine without program, Java and endpoint', () => {
  expect(locateEngine(machine({ env: { PATH: '/usr/bin' } }))).toBeUndefined();
});
