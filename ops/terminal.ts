import { stripVTControlCharacters } from 'node:util';

/** The environment in which the command runs. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<string | Uint8Array>;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** The command as the user calls it; `bakery-ops` if absent. */
  readonly calledAs?: string | undefined;
  /** Columns of the terminal; undefined if stdout is not one. */
  readonly columns?: number | undefined;
}

/** Name of the command in its texts. */
export const command = 'bakery-ops';

const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const escaped = (text: string): string =>
  Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');

/**
 * Returns the text as one line. Every control, bidi or invisible character, also a line end,
 * becomes a \u escape.
 */
export const visibleLine = (text: string): string => text.replace(unseen, escaped);

/** Returns the column below which a broken line goes on: its indent, or its last text after a gap. */
const hangOf = (line: string, columns: number): number => {
  const [indent = ''] = /^ */.exec(line) ?? [];
  const [row = ''] = /^.* {2}(?=\S)/.exec(line) ?? [];
  return row.length > columns / 2 ? indent.length : Math.max(indent.length, row.length);
};

const wrappedLine = (line: string, columns: number): string => {
  const hang = hangOf(stripVTControlCharacters(line), columns);
  let used = 0;
  const pieces = line.split(' ').map((word, i) => {
    const width = [...stripVTControlCharacters(word)].length;
    const breaks = used > hang && used + 1 + width > columns;
    used = breaks ? hang + width : used + (i > 0 ? 1 : 0) + width;
    return i === 0 ? word : `${breaks ? `\n${' '.repeat(hang)}` : ' '}${word}`;
  });
  return pieces.join('');
};

/**
 * Returns the text with line breaks between words, so that it fits the terminal; unchanged in a
 * pipe. The text of a row (`name  text`) stays in its column.
 */
export const wrapped = (text: string, { columns }: Pick<Terminal, 'columns'>): string =>
  columns === undefined
    ? text
    : text
        .split('\n')
        .map((line) => wrappedLine(line, columns))
        .join('\n');

/**
 * A terminal that escapes control, bidi and invisible characters, except line ends. JSON stays the
 * same JSON.
 */
export interface VisibleTerminal extends Terminal {
  /** The unfiltered stream, for text that `painter` has escaped. */
  readonly painted: Pick<Terminal, 'stdout' | 'stderr'>;
}

/**
 * Returns a terminal that escapes characters. Messages on stderr are wrapped; stdout may be data
 * and is not.
 */
export const visibly = ({ stdout, stderr, ...rest }: Terminal): VisibleTerminal => {
  const lines = (text: string) => text.split('\n').map(visibleLine).join('\n');
  return {
    ...rest,
    stdout: (text) => stdout(lines(text)),
    stderr: (text) => stderr(wrapped(lines(text), rest)),
    painted: { stdout, stderr },
  };
};

const styles = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

/**
 * Returns functions that color short texts and escape them first. There are no colors in pipes,
 * with NO_COLOR or on a dumb terminal.
 */
export const painter = ({ env, columns }: Pick<Terminal, 'env' | 'columns'>) => {
  const hasColour = columns !== undefined && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  return (style: keyof typeof styles | undefined, text: string): string =>
    hasColour && style ? `\x1b[${styles[style]}m${visibleLine(text)}\x1b[0m` : visibleLine(text);
};

/** Returns the text with the command named as the user calls it. */
export const asCalled = (text: string, { calledAs = command }: Pick<Terminal, 'calledAs'>): string => text.replaceAll(command, calledAs);

/** Whether the line is a command to copy, which is not broken. */
const isUsage = (line: string): boolean => line.includes(command) || line.includes("--json '");

/**
 * Returns a help text with the command named as the user calls it. On a terminal its headings are bold,
 * the names of its rows have a color, and it fits the columns.
 */
export const emphasized = (text: string, terminal: Pick<Terminal, 'env' | 'columns' | 'calledAs'>): string => {
  const paint = painter(terminal);
  return text
    .split('\n')
    .map((line) => {
      if (isUsage(line)) return paint(undefined, asCalled(line, terminal));
      if (/^[A-Z].*:$/.test(line)) return wrapped(paint('bold', line), terminal);
      // A name, what belongs to it (`ID`, `(required)`), and its text in a column or below; or a noun and its verbs.
      const [, indent = '', name, rest = ''] = /^( {2})((?:--)?[a-z][\w.-]*)((?: \S+){0,2}(?: {2}.*)?|(?: [a-z_]+,?)+)$/.exec(line) ?? [];
      return wrapped(name === undefined ? paint(undefined, line) : indent + paint('green', name) + paint(undefined, rest), terminal);
    })
    .join('\n');
};
