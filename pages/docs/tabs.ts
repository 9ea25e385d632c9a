import type { Token, Tokens, TokensList } from 'marked';
import { type Html, html } from '../../shared/core/html.ts';
import { highlight } from './highlight.ts';

/** One of several programs that do the same. */
interface Program {
  /** The choice that the page remembers: `bash`, `ts` or `python`. */
  readonly language: string;
  readonly name: string;
  readonly text: string;
  /** Its printed text. */
  readonly output?: string | undefined;
}

/**
 * The same program in several languages, with a choice. Without scripts, the page shows all of
 * them.
 */
export const tabs = (id: string, programs: readonly Program[]): Html => {
  const choices = programs.map(
    ({ language, name }, i) =>
      html`<label><input type="radio" name="language-${id}" value="${language}"${i === 0 ? ' checked' : ''}> ${name}</label>`,
  );
  const panels = programs.map(({ language, name, text, output }) => {
    const program = html`<pre tabindex="0" class="${language}" aria-label="${name}"><code>${highlight(text, language)}</code></pre>`;
    const printed = html`<pre tabindex="0" class="${language} output" aria-label="Output of ${name}"><code>${output}</code></pre>`;
    return output === undefined ? program : html`${program}${printed}`;
  });
  return html`<fieldset class="code samples" data-copy><legend>Samples</legend><div class="bar">${choices}</div>${panels}</fieldset>`;
};

const languages: Readonly<Record<string, readonly [language: string, name: string]>> = {
  js: ['ts', 'Node'],
  ts: ['ts', 'TypeScript'],
  python: ['python', 'Python'],
};

/** Reads a program and its output. Returns undefined if none is there, else the index after it. */
const programAt = (tokens: readonly Token[], at: number): { readonly program: Program; readonly next: number } | undefined => {
  const skip = (index: number): number => (tokens[index]?.type === 'space' ? skip(index + 1) : index);
  const start = skip(at);
  const code = tokens[start] as Tokens.Code | undefined;
  // The info string has the language, the file's name and marks for the tests.
  const [info = '', file = ''] = code?.type === 'code' ? (code.lang ?? '').split(' ') : [];
  const known = languages[info];
  if (!code || !known) return undefined;
  const [language, name] = known;
  const after = tokens[skip(start + 1)] as Tokens.Code | undefined;
  const output = after?.type === 'code' && after.lang === 'text' ? after.text : undefined;
  const program = { language, name: file.includes('.') ? `${name}: ${file}` : name, text: code.text, output };
  return { program, next: output === undefined ? start + 1 : skip(start + 1) + 1 };
};

/** Joins programs that follow each other in different languages into tabs. */
export const withTabs = (tokens: TokensList): TokensList => {
  const result: Token[] = [];
  for (let at = 0; at < tokens.length; ) {
    const programs: Program[] = [];
    let next = at;
    for (let found = programAt(tokens, next); found; found = programAt(tokens, next)) {
      const { program } = found;
      if (programs.some(({ language }) => language === program.language)) break;
      programs.push(program);
      next = found.next;
    }
    if (programs.length > 1) {
      const text = `${tabs(`guide-${at}`, programs).markup}\n`;
      result.push({ type: 'html', raw: text, text, block: true, pre: false });
      at = next;
    } else result.push(tokens[at++] as Token);
  }
  return Object.assign(result, { links: tokens.links });
};
