import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { isRegion, type Region, regions } from '../shared/core/config.ts';

/** An error shown to the user as one sentence, without a stack trace. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const usage = `Usage: npm start -- [options]
  --port N                    port of all regions (default 4000); N+1, N+2, N+3 are us, au and eu alone
  --host ADDRESS              where it listens (default loopback only); a container needs 0.0.0.0
  --region us[,au,eu]         regions to run (default all three); the first one answers bare localhost
  --data DIR                  where state is kept (default .local)
  --ephemeral                 keep state in memory only
  --time-scale N              make every wait between delivery attempts N times shorter (default 1)
  --allow-loopback-webhooks   let webhook URLs be http:// and point at this machine
  --no-seed                   do not create the demo accounts on first start
  --verbose                   write log lines to stderr instead of <data>/service.log
`;

/** Returns the port that one region has for itself, after the port of all regions. */
export const regionPortOf = (port: number, region: Region): number => port + 1 + regions.indexOf(region);

const highestPort = 65_535 - regions.length;

/** Ports of other protocols, which browsers and `fetch` do not open: the bad ports of the Fetch standard. */
const blockedPorts = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117,
  119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636,
  989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
]);

const parsePort = (text: string, running: readonly Region[]): number => {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > highestPort)
    throw new UsageError(`--port must be a whole number from 0 to ${highestPort}, not "${text}".`);
  if (port === 0) return port; // any free ports
  const blockedPort = [port, ...running.map((region) => regionPortOf(port, region))].find((one) => blockedPorts.has(one));
  if (blockedPort !== undefined)
    throw new UsageError(
      `--port ${port} needs port ${blockedPort}, which browsers and fetch refuse to open. Choose another, for example --port 4000.`,
    );
  return port;
};

const parseRegions = (text: string): readonly Region[] => {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !isRegion(name));
  if (unknown !== undefined) throw new UsageError(`--region takes ${regions.join(', ')}, separated by commas, not "${unknown}".`);
  return [...new Set(names.filter(isRegion))];
};

const parseHost = (text: string): string => {
  if (isIP(text) === 0) throw new UsageError(`--host must be an IP address, not "${text}".`);
  return text;
};

const parseTimeScale = (text: string): number => {
  const scale = Number(text);
  if (text.trim() === '' || !Number.isFinite(scale) || scale <= 0)
    throw new UsageError(`--time-scale must be a number above 0, not "${text}".`);
  return scale;
};

const parseFlags = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '4000' },
        host: { type: 'string' },
        region: { type: 'string', default: regions.join(',') },
        data: { type: 'string' },
        ephemeral: { type: 'boolean', default: false },
        'time-scale': { type: 'string', default: '1' },
        'allow-loopback-webhooks': { type: 'boolean', default: false },
        'no-seed': { type: 'boolean', default: false },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    // Keeps the first sentence of Node's message. The rest explains positional arguments, which do
    // not exist here.
    const [sentence] = (error as Error).message.split(/\.(?:\s|$)/, 1);
    throw new UsageError(`${sentence}; see npm start -- --help.`);
  }
};

/** Returns the parsed options, or `help`. Throws `UsageError` for anything else. */
export const parseOptions = (args: readonly string[]) => {
  const flags = parseFlags(args);
  if (flags.help) return 'help';
  if (flags.ephemeral && flags.data !== undefined) throw new UsageError('--ephemeral keeps nothing, so it cannot be combined with --data.');
  if (flags.data === '') throw new UsageError('--data needs the name of a directory.');
  const running = parseRegions(flags.region);
  return {
    /**
     * Port of all regions. 0 uses free ports. Otherwise each region also has its own: N+1 (us), N+2
     * (au), N+3 (eu).
     */
    port: parsePort(flags.port, running),
    /** IP address to listen on; loopback if absent. */
    host: flags.host === undefined ? undefined : parseHost(flags.host),
    regions: running,
    /** Directory of the data. If absent, data is kept in memory only. */
    dataDir: flags.ephemeral ? undefined : (flags.data ?? '.local'),
    /** Divides every wait between attempts. */
    timeScale: parseTimeScale(flags['time-scale']),
    allowLoopbackWebhooks: flags['allow-loopback-webhooks'],
    /** Creates the demo accounts on the first start. */
    seed: !flags['no-seed'],
    verbose: flags.verbose,
  };
};

/** Options of `npm start -- …`. */
export type StartOptions = Readonly<Exclude<ReturnType<typeof parseOptions>, 'help'>>;
