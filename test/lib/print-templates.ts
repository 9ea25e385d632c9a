import { synthesizeApp } from './synthesize-app.ts';

/** Prints the templates of all stacks for a context: `node test/lib/print-templates.ts '{}'`. */
const { stacks } = synthesizeApp(JSON.parse(process.argv[2] ?? '{}'));
process.stdout.write(JSON.stringify(Object.fromEntries(Object.entries(stacks).map(([name, template]) => [name, template.toJSON()]))));
