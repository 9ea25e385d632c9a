import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

export interface Language {
  readonly name: string;
  /** The sample that the webhooks guide shows: it verifies a delivery. */
  readonly sample: string;
  /** The handler that the guide shows below the sample: it calls the sample and responds. */
  readonly handler: string;
  /** Name of the framework that calls the handler. */
  readonly framework: string;
  /** Programs that must be on the PATH. */
  readonly programs: readonly string[];
  /** Debian's package with these programs. */
  readonly debianPackage: string;
  /**
   * Compiles sample and handler in an empty folder, if they must be compiled, and returns the
   * command that passes one delivery to the handler.
   */
  readonly prepare: (files: Pick<Language, 'sample' | 'handler'>, folder: string) => readonly string[];
}

/** A program that passes one delivery to the handler and prints `genuine` or `rejected`. */
const main = (extension: string): string => resolve('test/verify-samples/programs', `main.${extension}`);

const prepareGo: Language['prepare'] = ({ sample, handler }, folder) => {
  mkdirSync(join(folder, 'webhook'));
  for (const file of [sample, handler]) copyFileSync(file, join(folder, 'webhook', basename(file)));
  copyFileSync(main('go'), join(folder, 'main.go'));
  writeFileSync(join(folder, 'go.mod'), 'module verify\n\ngo 1.19\n');
  execFileSync('go', ['build', '-o', 'verify'], { cwd: folder, env: { ...process.env, GOTOOLCHAIN: 'local' } });
  return [join(folder, 'verify')];
};

const prepareCsharp: Language['prepare'] = ({ sample, handler }, folder) => {
  const program = join(folder, 'verify.exe');
  execFileSync('mcs', [`-out:${program}`, '-r:System.Core', sample, handler, main('cs')]);
  return ['mono', program];
};

/** The parts of the Servlet API that the handler uses. */
const servletApi = resolve('test/verify-samples/programs/servlet');

const prepareJava: Language['prepare'] = ({ sample, handler }, folder) => {
  const api = readdirSync(servletApi).map((name) => join(servletApi, name));
  execFileSync('javac', ['-d', folder, ...api, sample, handler, main('java')]);
  return ['java', '-cp', folder, 'Main'];
};

/** Every language of `examples/verify-webhook`. */
export const languages: readonly Language[] = [
  {
    name: 'PHP',
    sample: 'examples/verify-webhook/php/verify.php',
    handler: 'examples/verify-webhook/php/webhooks.php',
    framework: 'Laravel',
    programs: ['php'],
    debianPackage: 'php-cli',
    prepare: ({ handler }) => ['php', main('php'), handler],
  },
  {
    name: 'Ruby',
    sample: 'examples/verify-webhook/ruby/verify.rb',
    handler: 'examples/verify-webhook/ruby/receiver.rb',
    framework: 'Rack',
    programs: ['ruby'],
    debianPackage: 'ruby',
    prepare: ({ handler }) => ['ruby', main('rb'), handler],
  },
  {
    name: 'Go',
    sample: 'examples/verify-webhook/go/verify.go',
    handler: 'examples/verify-webhook/go/receive.go',
    framework: 'net/http',
    programs: ['go'],
    debianPackage: 'golang-go',
    prepare: prepareGo,
  },
  {
    name: 'C#',
    sample: 'examples/verify-webhook/csharp/WebhookSignature.cs',
    handler: 'examples/verify-webhook/csharp/WebhookReceiver.cs',
    framework: 'ASP.NET Core',
    programs: ['mcs', 'mono'],
    debianPackage: 'mono-mcs',
    prepare: prepareCsharp,
  },
  {
    name: 'Java',
    sample: 'examples/verify-webhook/java/WebhookSignature.java',
    handler: 'examples/verify-webhook/java/WebhookServlet.java',
    framework: 'Servlet',
    programs: ['javac', 'java'],
    debianPackage: 'openjdk-17-jdk-headless',
    prepare: prepareJava,
  },
];
