import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export interface Postgres {
  readonly pid: number;
  /** The directory of its socket. */
  readonly socket: string;
  stop(): Promise<void>;
}

const programs = ['initdb', 'postgres', 'pg_isready'];
const found = (program: string): boolean => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** PostgreSQL does not run as root, so it runs as the user that its package made. */
const identity = (): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
};

/**
 * Starts a durable database with default settings in a temporary folder. Returns undefined if
 * PostgreSQL is not installed.
 */
export const startPostgres = async (): Promise<Postgres | undefined> => {
  if (!programs.every(found)) return undefined;
  const who = identity();
  const folder = mkdtempSync(join(tmpdir(), 'peer-'));
  if (who.uid !== undefined && who.gid !== undefined) chownSync(folder, who.uid, who.gid);
  const data = join(folder, 'data');
  execFileSync('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'], { ...who, cwd: folder, stdio: 'ignore' });
  const child = spawn('postgres', ['-D', data, '-k', folder, '-c', 'listen_addresses='], { ...who, cwd: folder, stdio: 'ignore' });
  const isReady = (): boolean => {
    try {
      execFileSync('pg_isready', ['-h', folder, '-q']);
      return true;
    } catch {
      return false;
    }
  };
  while (!isReady()) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}.`);
    await pause(50);
  }
  return {
    pid: child.pid ?? 0,
    socket: folder,
    async stop() {
      child.kill('SIGINT');
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
