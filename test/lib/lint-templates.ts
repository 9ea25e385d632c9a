import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../deploy/children.ts';
import { pythonTool } from '../deploy/python.ts';
import { fullContext } from './contexts.ts';

/**
 * `npm run lint:templates`: runs cfn-lint on the templates of every stack, with the default and with
 * the full configuration.
 */
const contexts = { 'nothing configured': {}, 'everything configured': fullContext };

/** Ignored rules, each with its reason. */
const ignored = {
  W3005: 'CDK makes a function depend on its role and policy beside referring to the role; the policy is what has to be there first.',
};

const { context: flags } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: object };
const linter = await pythonTool('cfn-lint');
let failed = 0;
for (const [name, context] of Object.entries(contexts)) {
  const outdir = mkdtempSync(join(tmpdir(), 'templates-'));
  try {
    const env = { PATH: process.env['PATH'] ?? '', CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify({ ...flags, ...context }) };
    const synthesized = await run(process.execPath, ['bin/app.ts'], { env });
    const templates = synthesized.code === 0 ? readdirSync(outdir).filter((file) => file.endsWith('.template.json')) : [];
    const options = ['--non-zero-exit-code', 'informational', '--ignore-checks', ...Object.keys(ignored)];
    const { code, output } =
      synthesized.code === 0 ? await run(linter, [...options, '--', ...templates.map((file) => join(outdir, file))]) : synthesized;
    process.stdout.write(`${code === 0 ? 'ok' : 'not ok'}: ${name}, ${templates.length} templates\n${output.trim()}\n`);
    if (code !== 0) failed++;
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}
process.exitCode = failed > 0 ? 1 : 0;
