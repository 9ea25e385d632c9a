import { globSync, readFileSync } from 'node:fs';

/** Number of an invariant, and what a test says about its guarantee. */
const numbered = /^ {2}number: (\d+),$/gm;
const named = /^\/\/ Guarantee ([\d and]+) \(docs\/guarantees\.md\)$/gm;

/** Returns the files below `test` that match, by the numbers that they have. */
const filesByNumber = (pattern: string, numbers: RegExp): ReadonlyMap<number, readonly string[]> => {
  const files = new Map<number, Set<string>>();
  for (const file of globSync(pattern, { cwd: 'test' }).toSorted())
    for (const [, text = ''] of readFileSync(`test/${file}`, 'utf8').matchAll(numbers))
      for (const number of text.split(' and ').map(Number)) files.set(number, (files.get(number) ?? new Set()).add(file));
  return new Map([...files].map(([number, found]) => [number, [...found]]));
};

/** The invariants and the tests that name each guarantee. */
export interface Proofs {
  readonly invariants: ReadonlyMap<number, readonly string[]>;
  readonly tests: ReadonlyMap<number, readonly string[]>;
}

export const readProofs = (): Proofs => ({
  invariants: filesByNumber('simulation/invariants/*.ts', numbered),
  tests: filesByNumber('**/*.test.ts', named),
});

const shortName = (file: string): string => `\`${file.replace(/^simulation\/|(\.test)?\.ts$/g, '')}\``;

/** Returns the page of guarantees with the proofs of each in the last column of its row. */
export const withProofs = (page: string, { invariants, tests }: Proofs): string =>
  page.replace(/^(\| (\d+) \| .* \| )[^|]* \|$/gm, (_row, before: string, number: string) => {
    const files = [...(invariants.get(Number(number)) ?? []), ...(tests.get(Number(number)) ?? [])];
    return `${before}${files.map(shortName).join(', ')} |`;
  });
