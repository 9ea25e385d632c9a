import { closeSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { awsRegions, type Region } from '../../shared/core/config.ts';
import { start } from './children.ts';
import { until } from './until.ts';

/** An AWS emulator with every region, on a port of this machine. */
export interface Emulator {
  readonly url: string;
  /**
   * Environment of commands that call only the emulator: no profile, credentials or proxy of this
   * machine.
   */
  readonly env: Readonly<Record<string, string>>;
  /** A temporary folder of the run. */
  readonly folder: string;
}

/** Returns the configuration of an AWS client for a region of the emulator. */
export const clientOf = ({ url: endpoint, env }: Emulator, region: Region) => {
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = env;
  return { region: awsRegions[region], endpoint, credentials: { accessKeyId, secretAccessKey } };
};

const startDeadlineMs = 30_000;
const nodeOptions = `--import=${new URL('./localhost-names.ts', import.meta.url)}`;

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

const folders: string[] = [];

/** Removes the emulators' files; call it after they have ended. */
export const removeFolders = async (): Promise<void> => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })));
};

/**
 * Starts MiniStack with the Python of its environment and waits until it responds; its log goes to
 * `logFile`.
 */
/** MiniStack answers `GET /health` of every host itself. Here the deployed API does. */
const program = 'from ministack import app; app._HEALTH_PATHS = app._HEALTH_PATHS[:2]; app.main()';

export const startEmulator = async (python: string, logFile: string): Promise<Emulator> => {
  const folder = await mkdtemp(join(tmpdir(), 'bakery-deploy-'));
  folders.push(folder);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // This Node comes first, before the virtual environment, because functions run on the `node` of
  // the PATH.
  const path = [dirname(process.execPath), dirname(python), process.env['PATH']].join(':');
  await mkdir(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'w');
  const server = start(python, ['-c', program], {
    output: log,
    // Functions inherit this environment, so it holds no values of this machine.
    env: {
      PATH: path,
      HOME: folder,
      TMPDIR: folder,
      NODE_OPTIONS: nodeOptions,
      GATEWAY_PORT: String(port),
      BIND_HOST: '127.0.0.1',
      MINISTACK_HOST: 'localhost',
      LAMBDA_EXECUTOR: 'local',
      IOT_MTLS_ENABLED: '0',
      SFTP_ENABLED: '0',
    },
  });
  closeSync(log);
  await until('MiniStack answers', startDeadlineMs, async () => {
    if (server.exitCode !== null) throw new Error(`MiniStack ended with ${server.exitCode}; see ${logFile}.`);
    return fetch(`${url}/_ministack/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return {
    url,
    folder,
    env: {
      PATH: path,
      HOME: folder,
      TMPDIR: folder,
      NODE_OPTIONS: nodeOptions,
      NO_COLOR: '1',
      AWS_ENDPOINT_URL: url,
      AWS_ENDPOINT_URL_S3: url,
      AWS_ACCESS_KEY_ID: '000000000000',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      AWS_EC2_METADATA_DISABLED: 'true',
      CDK_DISABLE_CLI_TELEMETRY: 'true',
      CDK_DISABLE_VERSION_CHECK: 'true',
    },
  };
};
