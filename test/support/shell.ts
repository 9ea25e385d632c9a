import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { curl } from './curl.ts';
import { usesPrograms } from './programs.ts';

const run = promisify(execFile);

interface Surroundings {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** A piece of a word. Variables and `$(…)` in it are replaced unless it is literal. */
interface Piece {
  readonly text: string;
  readonly isLiteral: boolean;
}
type Word = readonly Piece[];
type Command = readonly Word[];
/** Commands that are joined by pipes. */
type Line = readonly Command[];

const pieces =
  /'(?<literal>[^']*)'|"(?<quoted>(?:[^"\\]|\\.)*)"|(?<gap>(?:[ \t]|\\\n)+)|(?<end>\n+)|(?<pipe>\|)|\\(?<escaped>.)|(?<bare>(?:\$\([^)]*\)|[^\s'"|\\;&<>()])+)/gsy;

/** Reads a script of simple commands. Throws at anything else, because bash may read it otherwise. */
const linesOf = (script: string): readonly Line[] => {
  const lines: Piece[][][][] = [[[[]]]];
  let position = 0;
  for (const match of script.trim().matchAll(pieces)) {
    const { quoted, gap, end, pipe, bare } = match.groups ?? {};
    const literal = match.groups?.['literal'] ?? match.groups?.['escaped'];
    const line = lines.at(-1) ?? [];
    const command = line.at(-1) ?? [];
    if (gap !== undefined) command.push([]);
    else if (pipe !== undefined) line.push([[]]);
    else if (end !== undefined) lines.push([[[]]]);
    else command.at(-1)?.push({ text: literal ?? quoted ?? bare ?? '', isLiteral: literal !== undefined });
    position += match[0].length;
  }
  if (position < script.trim().length) throw new Error(`test/support/shell.ts cannot read: ${script.trim().slice(position)}`);
  return lines.map((line) => line.map((command) => command.filter((word) => word.length > 0)));
};

const variable = /\\(?<escaped>["\\$`])|\$\((?<command>[^)]*)\)|\$\{(?<name>\w+)(?:%(?<suffix>[^}]*))?\}|\$(?<plain>\w+)/gs;

interface Shell {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

const expansionOf = async ({ groups = {} }: RegExpExecArray, shell: Shell): Promise<string> => {
  const { escaped, command, name, suffix = '', plain = '' } = groups;
  if (escaped !== undefined) return escaped;
  if (command !== undefined) return (await interpret(command, shell)).replace(/\n+$/, '');
  const value = shell.env[name ?? plain];
  if (value === undefined) throw new Error(`The variable ${name ?? plain} is not set.`);
  return suffix !== '' && value.endsWith(suffix) ? value.slice(0, -suffix.length) : value;
};

const textOf = async ({ text, isLiteral }: Piece, shell: Shell): Promise<string> => {
  if (isLiteral) return text;
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(variable)) {
    parts.push(text.slice(from, match.index), await expansionOf(match, shell));
    from = match.index + match[0].length;
  }
  return [...parts, text.slice(from)].join('');
};

const wordOf = async (word: Word, shell: Shell): Promise<string> => (await Promise.all(word.map((piece) => textOf(piece, shell)))).join('');

/** The programs of the samples. Each returns what it prints. */
const programs: Readonly<Record<string, (args: readonly string[], input: string, shell: Shell) => Promise<string>>> = {
  curl: (args) => curl(args),
  async export(assignments, _, { env }) {
    for (const assignment of assignments) {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(assignment) ?? [];
      env[name] = value;
    }
    return '';
  },
  async grep([option, pattern = '', file = ''], _, { cwd }) {
    const matches = (await readFile(resolve(cwd, file), 'utf8')).match(new RegExp(pattern, 'g'));
    if (option !== '-o' || !matches) throw new Error(`grep ${option} ${pattern} ${file} finds nothing.`);
    return `${matches.join('\n')}\n`;
  },
  async tee([file = ''], input, { cwd }) {
    await writeFile(resolve(cwd, file), input);
    return input;
  },
  [process.execPath]: async (args, _, { env, cwd }) => (await run(process.execPath, args, { env, cwd })).stdout,
};

const interpret = async (script: string, shell: Shell): Promise<string> => {
  let printed = '';
  for (const line of linesOf(script)) {
    let output = '';
    for (const command of line) {
      const [name = '', ...args] = await Promise.all(command.map((word) => wordOf(word, shell)));
      const program = programs[name];
      if (!program) throw new Error(`${name} is a program that test/support/shell.ts does not know.`);
      output = await program(args, output, shell);
    }
    printed += output;
  }
  return printed;
};

/**
 * Runs a sample for a shell and returns what it prints; rejects if a command fails. In `npm run
 * test:programs` bash and the sample's programs run it. Otherwise this process does what they would
 * do, because a machine may lack them.
 */
export const runShell = async (script: string, { env = process.env, cwd = '.' }: Surroundings = {}): Promise<string> => {
  if (!usesPrograms) return interpret(script, { env: { ...env }, cwd });
  return (await run('bash', ['-euo', 'pipefail', '-c', script], { env, cwd })).stdout;
};
