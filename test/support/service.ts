import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Region } from '../../shared/core/config.ts';
import { eventually } from './eventually.ts';

/** The service in a separate process, started like users start it. */
export interface ServiceProcess {
  readonly port: number;
  readonly process: ChildProcess;
  /** The region's own port: `http://127.0.0.1:4001`. */
  origin(region: Region): string;
  /** Output so far. */
  stdout(): string;
  stderr(): string;
  action(region: Region, action: string, input: unknown, account?: string): Promise<Record<string, unknown>>;
  /** SIGKILL: the process gets no chance to tidy up. */
  kill(): Promise<void>;
  /** Sends the signal (default SIGTERM) to the process that the user started; returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export const root = fileURLToPath(new URL('../..', import.meta.url));
const regionPort: Readonly<Record<Region, number>> = { us: 1, au: 2, eu: 3 };

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });

/**
 * A port with the three after it, all free a moment ago. They are below the ports that Linux gives to
 * outgoing connections, because such a connection may take one in that moment.
 */
export const freePorts = async (): Promise<number> => {
  for (let tries = 0; tries < 100; tries++) {
    const port = 20_000 + Math.floor(Math.random() * 3_000) * 4;
    const free = await Promise.all([0, 1, 2, 3].map((offset) => isFree(port + offset)));
    if (free.every(Boolean)) return port;
  }
  throw new Error('No four free ports in a row.');
};

export interface SpawnOptions {
  readonly port: number;
  readonly args: readonly string[];
  /**
   * `npm` goes through `npm start --`, as users do; `node` runs the same program without npm, and
   * `older Node` as a Node does that starts the project's own.
   */
  readonly through?: 'npm' | 'node' | 'older Node';
  /** Whether its processes are a group, like those of a command in a terminal. */
  readonly asGroup?: boolean;
  /** The folder of the project; this checkout if absent. */
  readonly folder?: string;
  /** Beside the test's own environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Options of Node under which a program takes it for another version. */
export const pretendNode = (version: string): readonly string[] => [
  '--import',
  `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`,
];

const commands = {
  npm: ['npm', 'start', '--'],
  node: [process.execPath, 'bin/start.mjs'],
  'older Node': [process.execPath, ...pretendNode('18.20.0'), 'bin/start.mjs'],
} as const;

/** Starts the service and waits until it is ready; throws with what it printed when it is not. */
export const startService = async ({
  port,
  args,
  through = 'node',
  asGroup = false,
  folder = root,
  env = {},
}: SpawnOptions): Promise<ServiceProcess> => {
  const [command, ...before] = commands[through];
  const child = spawn(command, [...before, '--port', String(port), ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: asGroup,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const exited = once(child, 'exit');
  const isHealthy = () =>
    fetch(`http://127.0.0.1:${port}/_local/health`).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status === 200;
      },
      () => false,
    );
  const isReady = await eventually(
    async () => (await isHealthy()) || (child.exitCode === null ? undefined : false),
    (ready) => ready !== undefined,
  );
  if (!isReady) throw new Error(`The service ended with ${child.exitCode}: ${stderr}`);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
    return child.exitCode;
  };
  return {
    port,
    process: child,
    origin: (region) => `http://127.0.0.1:${port + regionPort[region]}`,
    stdout: () => stdout,
    stderr: () => stderr,
    async action(region, action, input, account) {
      const response = await fetch(`http://127.0.0.1:${port}/_local/actions`, {
        method: 'POST',
        body: JSON.stringify({ region, action, account, input }),
      });
      const result = (await response.json()) as { ok: boolean; result?: Record<string, unknown> };
      if (!result.ok || !result.result) throw new Error(`${action}: ${JSON.stringify(result)}`);
      return result.result;
    },
    async kill() {
      await end('SIGKILL');
    },
    stop: (signal = 'SIGTERM') => end(signal),
  };
};
