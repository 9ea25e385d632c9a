import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface Language {
  readonly name: string;
  /** The sample that the webhooks guide shows. */
  readonly sample: string;
  /** Programs that must be on the PATH. */
  readonly programs: readonly string[];
  /** Debian's package with these programs. */
  readonly debianPackage: string;
  /**
   * Compiles the sample in an empty folder, if it must be compiled, and returns the command that
   * verifies one delivery.
   */
  readonly prepare: (sample: string, folder: string) => readonly string[];
}

/** A program that passes one delivery to the sample and prints `genuine` or `rejected`. */
const main = (extension: string): string => resolve('test/verify-samples/programs', `main.${extension}`);

const prepareGo = (sample: string, folder: string): readonly string[] => {
  mkdirSync(join(folder, 'webhook'));
  copyFileSync(sample, join(folder, 'webhook/verify.go'));
  copyFileSync(main('go'), join(folder, 'main.go'));
  writeFileSync(join(folder, 'go.mod'), 'module verify\n\ngo 1.19\n');
  execFileSync('go', ['build', '-o', 'verify'], { cwd: folder, env: { ...process.env, GOTOOLCHAIN: 'local' } });
  return [join(folder, 'verify')];
};

const prepareCsharp = (sample: string, folder: string): readonly string[] => {
  const program = join(folder, 'verify.exe');
  execFileSync('mcs', [`-out:${program}`, '-r:System.Core', sample, main('cs')]);
  return ['mono', program];
};

const prepareJava = (sample: string, folder: string): readonly string[] => {
  execFileSync('javac', ['-d', folder, sample, main('java')]);
  return ['java', '-cp', folder, 'Main'];
};

/** Every language of `examples/verify-webhook`. */
export const languages: readonly Language[] = [
  {
    name: 'PHP',
    sample: 'examples/verify-webhook/php/verify.php',
    programs: ['php'],
    debianPackage: 'php-cli',
    prepare: (sample) => ['php', main('php'), sample],
  },
  {
    name: 'Ruby',
    sample: 'examples/verify-webhook/ruby/verify.rb',
    programs: ['ruby'],
    debianPackage: 'ruby',
    prepare: (sample) => ['ruby', main('rb'), sample],
  },
  {
    name: 'Go',
    sample: 'examples/verify-webhook/go/verify.go',
    programs: ['go'],
    debianPackage: 'golang-go',
    prepare: prepareGo,
  },
  {
    name: 'C#',
    sample: 'examples/verify-webhook/csharp/WebhookSignature.cs',
    programs: ['mcs', 'mono'],
    debianPackage: 'mono-mcs',
    prepare: prepareCsharp,
  },
  {
    name: 'Java',
    sample: 'examples/verify-webhook/java/WebhookSignature.java',
    programs: ['javac', 'java'],
    debianPackage: 'openjdk-17-jdk-headless',
    prepare: prepareJava,
  },
];
