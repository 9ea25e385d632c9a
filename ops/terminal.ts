/** The environment in which the command runs. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<string | Uint8Array>;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Columns of the terminal; undefined if stdout is not one. */
  readonly columns?: number | undefined;
}

const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const escaped = (text: string): string =>
  Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');

/** Returns one line: every control, bidi or invisible character of the text, a line end too, as a \u escape. */
export const visibleLine = (text: string): string => text.replace(unseen, escaped);

/** A terminal that shows no control, bidi or invisible character raw; only line ends pass. JSON stays the same JSON. */
export interface VisibleTerminal extends Terminal {
  /** The stream as it is, for text that `painter` made visible. */
  readonly painted: Pick<Terminal, 'stdout' | 'stderr'>;
}

export const visibly = ({ stdout, stderr, ...rest }: Terminal): VisibleTerminal => {
  const lines = (text: string) => text.split('\n').map(visibleLine).join('\n');
  return { ...rest, stdout: (text) => stdout(lines(text)), stderr: (text) => stderr(lines(text)), painted: { stdout, stderr } };
};

const styles = { dim: 2, red: 31, green: 32, yellow: 33 } as const;

/** Returns a painter of short texts, which it makes visible first. It does not colour in pipes, with NO_COLOR or on a dumb terminal. */
export const painter = ({ env, columns }: Pick<Terminal, 'env' | 'columns'>) => {
  const hasColour = columns !== undefined && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  return (style: keyof typeof styles | undefined, text: string): string =>
    hasColour && style ? `\x1b[${styles[style]}m${visibleLine(text)}\x1b[0m` : visibleLine(text);
};
