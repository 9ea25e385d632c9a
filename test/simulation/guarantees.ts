import { writeFigures } from './command/figures.ts';
import { UsageError } from './command/options.ts';

/** `npm run guarantees -- FILE` */
const [file, ...others] = process.argv.slice(2);
try {
  if (file === undefined || others.length > 0)
    throw new UsageError('npm run guarantees -- FILE, the one that npm run simulate -- --resume FILE keeps');
  writeFigures(file);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
