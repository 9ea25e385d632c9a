import { chmodSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { endAll, start } from '../deploy/children.ts';
import { eventually } from '../support/eventually.ts';
import { listen } from '../webhooks/servers.ts';
import type { Certificates } from './certificates.ts';
import type { ServerSetup, Software } from './software/software.ts';

const folders: string[] = [];

/** Makes a folder that a server without rights can read. */
export const openFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'receivers-'));
  folders.push(folder);
  chmodSync(folder, 0o755);
  return folder;
};

/** Ends all servers and removes their folders. */
export const endServers = async (): Promise<void> => {
  await endAll();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
};

const freePort = async (): Promise<number> => {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
};

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

export interface Running {
  readonly software: Software;
  readonly setup: ServerSetup;
  /** Returns the number of requests in the server's log that contain `text`. */
  requestsWith(text: string): number;
}

/** Starts a server and waits until it accepts connections. Throws its output if it ends. */
export const run = async (software: Software, certificates: Certificates, python?: Running): Promise<Running> => {
  const folder = openFolder();
  const [http, https, other] = [await freePort(), await freePort(), await freePort()];
  const setup: ServerSetup = { ...certificates, folder, http, https, other, python: python?.setup.http ?? http };
  for (const [name, text] of Object.entries(software.files(setup))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const output = join(folder, 'output.log');
  const child = start(...software.command(setup), { cwd: folder, output: openSync(output, 'a') });
  await eventually(
    async () => {
      if (child.exitCode !== null) throw new Error(`${software.name} ended with ${child.exitCode}: ${readFileSync(output, 'utf8')}`);
      return (await accepts(http)) && (await accepts(https));
    },
    (is) => is,
  );
  const log = join(folder, software.log ?? 'output.log');
  return {
    software,
    setup,
    requestsWith: (text) =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line.includes(text)).length,
  };
};
