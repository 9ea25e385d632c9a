/** The command's surroundings. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<string | Uint8Array>;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const escaped = (text: string): string =>
  Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');

/** Returns one line: every control, bidi or invisible character of the text, a line end too, as a \u escape. */
export const visibleLine = (text: string): string => text.replace(unseen, escaped);

/** Returns a terminal that shows no control, bidi or invisible character raw; only line ends pass. JSON stays the same JSON. */
export const visibly = ({ stdout, stderr, ...rest }: Terminal): Terminal => {
  const lines = (text: string) => text.split('\n').map(visibleLine).join('\n');
  return { ...rest, stdout: (text) => stdout(lines(text)), stderr: (text) => stderr(lines(text)) };
};
