/** The command's surroundings. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<string | Uint8Array>;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}
