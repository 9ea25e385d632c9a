import { synthesizeApp } from './synthesize-app.ts';

/**
 * Prints the templates of the three regions for a context: `node test/lib/print-templates.ts '{}'`.
 */
const { templates } = synthesizeApp(JSON.parse(process.argv[2] ?? '{}'));
process.stdout.write(
  JSON.stringify(Object.fromEntries(Object.entries(templates).map(([region, template]) => [region, template.toJSON()]))),
);
