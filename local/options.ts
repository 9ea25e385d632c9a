import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { isRegion, type Region, regions } from '../shared/core/regions.ts';

/** Options of `npm start -- …`. */
export interface StartOptions {
  readonly port: number;
  /** Address to listen on; loopback if absent. */
  readonly host: string | undefined;
  readonly regions: readonly Region[];
  /** Directory of the data. If absent, data is kept in memory only. */
  readonly dataDir: string | undefined;
  readonly timeScale: number;
  readonly allowLoopbackWebhooks: boolean;
  readonly seed: boolean;
  readonly verbose: boolean;
}

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

const highestPort = 65_535 - regions.length;

const parsePort = (text: string): number => {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > highestPort)
    throw new UsageError(`--port must be a whole number from 0 to ${highestPort}, not "${text}".`);
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
    throw new UsageError(
      `${String((error as Error).message)
        .split(/\.\s/)[0]
        ?.replace(/\.$/, '')}; see npm start -- --help.`,
    );
  }
};

/** Returns the parsed options, or `help`. Throws `UsageError` for anything else. */
export const parseOptions = (args: readonly string[]): StartOptions | 'help' => {
  const flags = parseFlags(args);
  if (flags.help) return 'help';
  if (flags.ephemeral && flags.data !== undefined) throw new UsageError('--ephemeral keeps nothing, so it cannot be combined with --data.');
  if (flags.data === '') throw new UsageError('--data needs the name of a directory.');
  return {
    port: parsePort(flags.port),
    host: flags.host === undefined ? undefined : parseHost(flags.host),
    regions: parseRegions(flags.region),
    dataDir: flags.ephemeral ? undefined : (flags.data ?? '.local'),
    timeScale: parseTimeScale(flags['time-scale']),
    allowLoopbackWebhooks: flags['allow-loopback-webhooks'],
    seed: !flags['no-seed'],
    verbose: flags.verbose,
  };
};
