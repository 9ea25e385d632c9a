import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { mustRun } from '../deploy/children.ts';
import { root } from '../support/service.ts';

/** `COPY a b` is `{ name: 'COPY', rest: 'a b' }`. */
export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** The Dockerfile's instructions by stage; each stage begins with its FROM. */
export const readStages = (text: string): readonly (readonly Instruction[])[] => {
  const lines = text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, rest });
  }
  return stages;
};

/**
 * The files that .dockerignore lets into the build. As in Docker, the last line that matches a file
 * or a parent folder decides.
 */
export const contextFiles = (): readonly string[] => {
  const patterns = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const withParents = (path: string): string[] => (path === '.' ? [] : [path, ...withParents(dirname(path))]);
  const isLeftOut = (file: string): boolean => {
    const paths = withParents(file);
    const last = patterns.findLast((pattern) => paths.some((path) => matchesGlob(path, pattern.replace(/^!/, ''))));
    return last !== undefined && !last.startsWith('!');
  };
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  return files.split('\n').filter((file) => file !== '' && existsSync(join(root, file)) && !isLeftOut(file));
};

const copyFromContext = (sources: readonly string[], folder: string, target: string): void => {
  const context = contextFiles();
  for (const source of sources) {
    const files = source === '.' ? context : context.filter((file) => file === source || file.startsWith(`${source}/`));
    if (files.length === 0) throw new Error(`COPY names ${source}, which is not there, or left out by .dockerignore.`);
    for (const file of files) cpSync(join(root, file), join(folder, target, file));
  }
};

/** Other stages only install the packages that this checkout has. */
const copyFromStage = (sources: readonly string[], folder: string, target: string): void => {
  for (const source of sources) {
    const own = join(root, source.replace(/^\/app\//, ''));
    if (!existsSync(own)) throw new Error(`COPY --from names ${source}, which npm ci does not install.`);
    cpSync(own, join(folder, target), { recursive: true });
  }
};

const copy = (rest: string, folder: string): void => {
  const words = rest.split(/\s+/);
  const isFromStage = words[0]?.startsWith('--from=') ?? false;
  const paths = isFromStage ? words.slice(1) : words;
  const [sources, target] = [paths.slice(0, -1), paths.at(-1) ?? '.'];
  if (isFromStage) copyFromStage(sources, folder, target);
  else copyFromContext(sources, folder, target);
};

/** Runs a stage's steps in the folder: COPY, and the RUN steps that install packages. */
export const play = async (stage: readonly Instruction[], folder: string): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  for (const { name, rest } of stage) {
    if (name === 'COPY') copy(rest, folder);
    const [, flags] = (name === 'RUN' && /^npm ci([^&]*)/.exec(rest)) || [];
    if (flags !== undefined) await mustRun('npm', ['ci', ...flags.trim().split(/\s+/)], { cwd: folder });
  }
  chmodSync(folder, 0o755);
};
