import { synthesizeApp } from './synthesize-app.ts';

/** Prints the templates of the three regions for a context, or why there are none: `node test/lib/print-templates.ts '{}'`. */
const print = (answer: object) => process.stdout.write(JSON.stringify(answer));
try {
  const { templates } = synthesizeApp(JSON.parse(process.argv[2] ?? '{}'));
  print({ templates: Object.fromEntries(Object.entries(templates).map(([region, template]) => [region, template.toJSON()])) });
} catch (error) {
  print({ refused: (error as Error).message });
}
