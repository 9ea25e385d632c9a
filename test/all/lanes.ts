/**
 * How a lane's result is counted: by Jest's report, by the last line that it prints, or as one.
 * `findings` also counts as one, and passes if the lane only finds faults (exit code 1).
 */
export type Counted = 'jest' | 'last line' | 'one' | 'findings';

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
 * Everything that a commit must pass, in order. Of a stage's chains, `run.ts` runs three side by side and
 * takes the next as soon as one ends: their lanes use one core at most, and wait for browsers, servers
 * and installations besides.
 */
export const stages: readonly (readonly (readonly Lane[])[])[] = [
  // Two lanes that both bundle the functions would write the same folder.
  [[one('lint', 'lint'), one('types', 'types')], [one('synthesis', 'synth')]],
  [[tests('test', 'test')]],
  // `npm test` with nothing but git, Node and npm. It waits for its installations.
  [
    [tests('newcomer', 'test:newcomer')],
    [one('layers', 'layers'), one('templates', 'lint:templates')],
    // What a fresh seed breaks was there before: its story and the command that plays it again are printed, and it judges no change.
    [{ name: 'fresh seeds', script: ['simulate', '--minutes', '2', '--workers', '1'], counted: 'findings' }],
  ],
  [[tests('tools', 'test:tools')]],
  // The deployment waits for the emulator most of the time. The others begin with the longest, so that no core is idle at the end.
  [
    [tests('browser', 'test:browser')],
    [counting('deployment', 'test:deploy')],
    [
      counting('python', 'test:python'),
      // It uses the Python environment of the lane before.
      counting('runtimes', 'test:runtimes'),
      counting('integrators', 'test:integrators'),
      counting('mock of the document', 'test:mock'),
      counting('verify-samples', 'test:verify-samples'),
    ],
    [{ ...tests('tests on Dynoxide', 'test', 'test/(actions|journeys|deliver|fan-out|http|table/(merged-pages|size))'), env: dynoxide }],
    [
      tests('receivers', 'test:receivers'),
      counting('container', 'test:container'),
      // A seed of its own: a change is judged by what it changes, not by luck.
      one('fuzz', 'fuzz', '--seed', '1'),
    ],
    [tests('stripe', 'test:stripe')],
    [tests('programs', 'test:programs')],
  ],
];

export const laneNames: readonly string[] = stages.flat(2).map(({ name }) => name);
