import type { Certificates } from '../certificates.ts';

/** The statuses that every server answers with. */
export const statuses = [200, 204, 301, 404, 500] as const;

/** The paths and ports that a server's configuration may name. */
export interface ServerSetup extends Certificates {
  /** The server's own folder. */
  readonly folder: string;
  readonly http: number;
  readonly https: number;
  /** A port for a server of its own, beside the two. */
  readonly other: number;
  /** Port of Python's server, to which others forward. */
  readonly python: number;
}

/** A way in which a server answers, at `/STATUS/NAME`. */
export interface Habit {
  readonly port?: 'https' | 'other';
  /** The statuses that it can have; all by default. */
  readonly statuses?: readonly number[];
}

/** A web server that is not ours. */
export interface Software {
  readonly name: string;
  /** Files of its folder, by name. */
  files(setup: ServerSetup): Readonly<Record<string, string>>;
  /** The program and its arguments. It runs in the foreground. */
  command(setup: ServerSetup): readonly [program: string, args: readonly string[]];
  /** The file to which it logs a line per request; its output by default. */
  readonly log?: string;
  readonly habits: Readonly<Record<string, Habit>>;
}

/** A Content-Security-Policy as people write it into a configuration: one directive a line. */
export const policyOfLines = "default-src 'self';\n    img-src https: data:;\n    frame-ancestors 'none'";

/** Headers of sites that set many and long cookies: 24 kB in all. */
export const longHeaders: readonly (readonly [name: string, value: string])[] = Array.from({ length: 8 }, (_, i) => [
  `X-Long-${i}`,
  'long '.repeat(600).trim(),
]);
