import { readFileSync } from 'node:fs';

export interface LockEntry {
  readonly version: string;
  readonly license?: string;
  readonly optional?: true;
  /** Systems and processors that the package is for; absent if it is for all. */
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  /** `sha512-…` of the package's archive. */
  readonly integrity?: string;
  readonly resolved?: string;
  readonly inBundle?: true;
  readonly hasInstallScript?: true;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Names = Readonly<Record<string, string>>;

export const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

export const manifest = readJson('package.json') as {
  readonly dependencies: Names;
  readonly optionalDependencies?: Names;
  readonly devDependencies: Names;
  readonly allowScripts: Readonly<Record<string, boolean>>;
};

/** Every package of the lockfile by its path, without the project itself. */
export const lockedPackages = (): ReadonlyMap<string, LockEntry> =>
  new Map(
    Object.entries((readJson('package-lock.json') as { packages: Record<string, LockEntry> }).packages).filter(([path]) => path !== ''),
  );

/** `node_modules/a/node_modules/@b/c` is @b/c. */
export const nameOf = (path: string): string => path.split('node_modules/').at(-1) ?? path;

/** Rows of the first table under a heading of docs/dependencies.md, without the backticks. */
export const tableUnder = (heading: string): readonly (readonly string[])[] => {
  const section = readFileSync('docs/dependencies.md', 'utf8')
    .split(/^## /m)
    .find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/dependencies.md has no section ${heading}`);
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim().replace(/^`|`$/g, '')),
    );
};
