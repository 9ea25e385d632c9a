import { describe, expect, test } from '@jest/globals';
import { parseOptions, UsageError } from '../../local/options.ts';

describe('the options of npm start', () => {
  test('npm start without options runs every region on port 4000 with its state in .local', () => {
    expect(parseOptions([])).toEqual({
      port: 4000,
      regions: ['us', 'au', 'eu'],
      dataDir: '.local',
      timeScale: 1,
      allowLoopbackWebhooks: false,
      seed: true,
      verbose: false,
    });
  });

  test('npm start reads every option', () => {
    const args =
      '--port 5000 --host 0.0.0.0 --region au,us --data /srv/x --time-scale 2.5 --allow-loopback-webhooks --no-seed --verbose'.split(' ');
    expect(parseOptions(args)).toEqual({
      port: 5000,
      host: '0.0.0.0',
      regions: ['au', 'us'],
      dataDir: '/srv/x',
      timeScale: 2.5,
      allowLoopbackWebhooks: true,
      seed: false,
      verbose: true,
    });
  });

  test('--ephemeral has no data directory', () => {
    expect(parseOptions(['--ephemeral'])).toMatchObject({ dataDir: undefined });
  });

  test('a region named twice runs once', () => {
    expect(parseOptions(['--region', 'us,us'])).toMatchObject({ regions: ['us'] });
  });

  test.each([
    [['--port', '6000'], '--port 6000 needs port 6000, which browsers and fetch refuse to open. Choose another, for example --port 4000.'],
    [['--port', '4043'], '--port 4043 needs port 4045, which browsers and fetch refuse to open. Choose another, for example --port 4000.'],
  ])('%j is rejected in one sentence, because no page could call it', (args, sentence) => {
    expect(() => parseOptions(args)).toThrow(new UsageError(sentence));
  });

  test('a port is rejected exactly if fetch refuses it, or the port after it, which is us', async () => {
    const opens = new Error('The port would be opened.');
    const unopened = {
      method: 'GET',
      dispatcher: {
        dispatch() {
          throw opens;
        },
      },
    };
    // The Fetch standard's list ends at 10,080, so few of the ports above are tried.
    const ports = Array.from({ length: 65_532 }, (_, i) => i + 1).filter((port) => port < 12_000 || port % 50 === 0);
    const errors = await Promise.all(ports.map((port) => fetch(`http://127.0.0.1:${port}`, unopened).catch(({ cause }) => cause?.message)));
    const badPorts = new Set(ports.filter((_, i) => errors[i] === 'bad port'));
    const rejected = ports.filter((port) => {
      try {
        return parseOptions(['--port', String(port), '--region', 'us']) === 'help';
      } catch {
        return true;
      }
    });
    expect(badPorts.size).toBeGreaterThan(70);
    expect(rejected).toEqual(ports.filter((port) => badPorts.has(port) || badPorts.has(port + 1)));
  });

  test.each([
    [['--host', 'localhost'], '--host must be an IP address, not "localhost".'],
    [['--port', 'x'], '--port must be a whole number from 0 to 65532, not "x".'],
    [['--port', '65533'], '--port must be a whole number from 0 to 65532, not "65533".'],
    [['--port', '1e3'], '--port must be a whole number from 0 to 65532, not "1e3".'],
    [['--region', 'mars'], '--region takes us, au, eu, separated by commas, not "mars".'],
    [['--region', ''], '--region takes us, au, eu, separated by commas, not "".'],
    [['--time-scale', '0'], '--time-scale must be a number above 0, not "0".'],
    [['--time-scale', 'fast'], '--time-scale must be a number above 0, not "fast".'],
    [['--ephemeral', '--data', 'x'], '--ephemeral keeps nothing, so it cannot be combined with --data.'],
    [['--data', ''], '--data needs the name of a directory.'],
    [['--colour'], "Unknown option '--colour'; see npm start -- --help."],
    [['4000'], "Unexpected argument '4000'; see npm start -- --help."],
  ])('npm start rejects %j in one sentence', (args, sentence) => {
    expect(() => parseOptions(args)).toThrow(new UsageError(sentence));
  });
});
