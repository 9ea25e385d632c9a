import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { eventually } from '../support/eventually.ts';

export const columns = 80;
export const rows = 48;

/** Returns the word, quoted for a shell if it needs quotes. */
export const quoted = (word: string): string => (/^[\w./=:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** Returns a link to the command with the name under which npm installs it. */
const installed = (): string => {
  const link = join(mkdtempSync(join(tmpdir(), 'bin-')), 'bakery-ops');
  symlinkSync(resolve('bin/ops.mjs'), link);
  return link;
};

/** Runs the command on a real pseudo-terminal of 80 columns, which `script` of util-linux opens. */
export const runOnTerminal = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const program = installed();
  const command = [process.execPath, program, ...args].map(quoted).join(' ');
  const child = spawn('script', ['-qec', `stty cols ${columns} rows ${rows} && exec ${command}`, '/dev/null'], {
    env: { PATH: process.env['PATH'], TERM: 'xterm-256color', LANG: 'C.UTF-8', ...env },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const ended = once(child, 'close').finally(() => rmSync(dirname(program), { recursive: true }));
  return {
    /** Resolves once the output matches. */
    async shows(expected: RegExp) {
      await Promise.race([
        eventually(
          () => text,
          (shown) => expected.test(stripVTControlCharacters(shown)),
        ),
        ended,
      ]);
      if (!expected.test(stripVTControlCharacters(text))) throw new Error(`The terminal never showed ${expected}: ${text}`);
    },
    /** Sends ^C. */
    interrupt: () => void child.stdin.write('\x03'),
    /** Resolves with all output, colours included, once the command has ended. */
    async output() {
      await ended;
      return text.replaceAll('\r\n', '\n');
    },
  };
};

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Returns the text as HTML: a `<span>` for each style (SGR), with the class `s` and its number.
 * Throws on another control sequence.
 */
export const htmlOf = (ansi: string): string => {
  const html = ansi
    .replace(/[&<>]/g, (character) => escapes[character] ?? '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences that a terminal reads
    .replace(/\x1b\[(\d+)m([^\x1b]*)\x1b\[0m/g, '<span class="s$1">$2</span>');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal does not show as it is
  if (/[\x00-\x09\x0b-\x1f\x7f]/.test(html)) throw new Error(`The output holds an unknown control sequence: ${JSON.stringify(html)}`);
  return html;
};

/** Common terminal colors, including dimmed text, on a light and a dark background. */
const style = `
:root{color-scheme:light dark}
body{margin:0;background:light-dark(#fff,#16181d);color:light-dark(#1f2328,#e6e9ef)}
main{padding:20px 24px;width:max-content}
pre{margin:0;font:15px/1.45 ui-monospace,'DejaVu Sans Mono',monospace;white-space:pre-wrap;width:${columns}ch}
.prompt,.s1{font-weight:700}
.s2{color:light-dark(#59636e,#9aa4b2)}
.s30{color:light-dark(#1f2328,#8b949e)}.s31{color:light-dark(#b3261e,#ff8080)}.s32{color:light-dark(#116329,#6fd08c)}.s33{color:light-dark(#7a4d00,#e8c15a)}
.s34{color:light-dark(#0550ae,#79b8ff)}.s35{color:light-dark(#8250df,#d2a8ff)}.s36{color:light-dark(#1b6e75,#76e3ea)}.s37{color:light-dark(#59636e,#d0d7de)}
`;

/** Returns an HTML page that shows a command and its output like a terminal. */
export const terminalPage = (command: string, ansi: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Terminal</title><style>${style}</style></head>
<body><main><pre><span class="prompt">$ ${htmlOf(command)}</span>\n${htmlOf(ansi)}</pre></main></body></html>`;
