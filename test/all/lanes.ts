/** How a lane's result is counted: by Jest's report, by the last line that it prints, or as one. */
export type Counted = 'jest' | 'last line' | 'one';

export interface Lane {
  readonly name: string;
  /** The npm script and its arguments. */
  readonly script: readonly [string, ...string[]];
  readonly counted: Counted;
  readonly env?: Readonly<Record<string, string>>;
}

const one = (name: string, ...script: Lane['script']): Lane => ({ name, script, counted: 'one' });
const tests = (name: string, ...script: Lane['script']): Lane => ({ name, script, counted: 'jest' });
const counting = (name: string, ...script: Lane['script']): Lane => ({ name, script, counted: 'last line' });
/** Another engine, which proves the embedded one: `npm install --no-save @dynoxide/linux-x64@1.2.1`. */
const dynoxide = { TEST_ENGINE: 'dynoxide' };

/**
 * Everything that a commit must pass, in order. The chains of a stage run side by side, because each
 * lane of two chains keeps about one core busy.
 */
export const stages: readonly (readonly (readonly Lane[])[])[] = [
  [[one('lint', 'lint')]],
  // Two lanes that both bundle the functions would write the same folder.
  [[one('types', 'types')], [one('synthesis', 'synth')]],
  [[one('layers', 'layers')], [one('templates', 'lint:templates')]],
  [[tests('test', 'test')]],
  // `npm test` with nothing but git, Node and npm.
  [[tests('newcomer', 'test:newcomer')]],
  [[tests('tools', 'test:tools')]],
  [
    [tests('browser', 'test:browser')],
    [
      tests('programs', 'test:programs'),
      { ...tests('tests on Dynoxide', 'test', 'test/(actions|journeys|deliver|fan-out|http)/'), env: dynoxide },
      counting('deployment', 'test:deploy'),
      counting('verify-samples', 'test:verify-samples'),
      counting('python', 'test:python'),
      counting('mock of the document', 'test:mock'),
      counting('runtimes', 'test:runtimes'),
      tests('stripe', 'test:stripe'),
      tests('receivers', 'test:receivers'),
      counting('container', 'test:container'),
      // A seed of its own: a change is judged by what it changes, not by luck.
      one('fuzz', 'fuzz', '--seed', '1'),
    ],
  ],
];

export const laneNames: readonly string[] = stages.flat(2).map(({ name }) => name);
