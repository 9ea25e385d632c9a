import { readFileSync } from 'node:fs';

/** A fenced block of a guide: its text and its kind. */
export interface Sample {
  readonly language: string;
  /** The file name under which a program is saved. */
  readonly file: string | undefined;
  /**
   * `setup`, `server`, `shape`; `verify` (`npm run test:verify-samples` runs it), `framework`
   * (`npm run test:integrators` does), `recipe` (`recipes.test.ts` does).
   */
  readonly marks: readonly string[];
  readonly text: string;
}

export const samplesOf = (path: string): readonly Sample[] =>
  [...readFileSync(path, 'utf8').matchAll(/^```(\S+)([^\n]*)\n(.*?)^```$/gms)].map(([, language = '', info = '', text = '']) => {
    const words = info.split(' ').filter(Boolean);
    return { language, file: words.find((word) => word.includes('.')), marks: words.filter((word) => !word.includes('.')), text };
  });

const pattern = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    's',
  );

/**
 * Returns the differences of a response from the page's print. Extra fields and array elements are
 * allowed, and `…` matches any text.
 */
export const differences = (printed: unknown, real: unknown, path = ''): string[] => {
  if (typeof printed === 'string') return typeof real === 'string' && pattern(printed).test(real) ? [] : [`${path}: ${printed} is ${real}`];
  if (typeof printed !== 'object' || printed === null) return printed === real ? [] : [`${path}: ${printed} is ${real}`];
  if (typeof real !== 'object' || real === null || Array.isArray(printed) !== Array.isArray(real)) return [`${path} is ${real}`];
  return Object.entries(printed).flatMap(([name, value]) => differences(value, (real as Record<string, unknown>)[name], `${path}/${name}`));
};

/** The same for a program's output, and for a response with its headers. */
export const printedDifferences = ({ language, text }: Sample, output: string): string[] => {
  if (language === 'json') return differences(JSON.parse(text), JSON.parse(output));
  if (language === 'text') return pattern(text.trim()).test(output.trim()) ? [] : [`${text} is ${output}`];
  const [head = '', body] = text.split('\n\n');
  const [realHead = '', realBody = ''] = output.split('\r\n\r\n').slice(-2);
  const lines = realHead.split('\r\n').map((line) => line.toLowerCase());
  const missing = head
    .trim()
    .split('\n')
    .filter((line) => !lines.some((real) => pattern(line.toLowerCase()).test(real)));
  return [
    ...missing.map((line) => `no ${line} in ${realHead}`),
    ...(body === undefined ? [] : differences(JSON.parse(body), JSON.parse(realBody))),
  ];
};
