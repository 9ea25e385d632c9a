const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { createRequire } = require('node:module');
const { join } = require('node:path');

/** Bundles workerd-entry.mjs with webpack, and prints its response in workerd, the runtime of Cloudflare's workers. */
const tools = createRequire(join(process.argv[2], 'package.json'));
const settings = {
  mode: 'production',
  target: 'webworker',
  context: __dirname,
  entry: './workerd-entry.mjs',
  experiments: { outputModule: true },
  output: { path: __dirname, filename: 'bundled.mjs', library: { type: 'module' } },
  resolve: { conditionNames: ['workerd', 'worker', 'import', 'default'] },
};

tools('webpack')(settings, async (error, stats) => {
  if (error || stats.hasErrors()) throw error ?? new Error(stats.toString('errors-only'));
  const stdio = ['ignore', 'inherit', 'inherit', 'pipe'];
  const child = spawn(tools('workerd').default, ['serve', '--control-fd=3', 'workerd.capnp'], { cwd: __dirname, stdio });
  try {
    const [line] = await once(child.stdio[3], 'data');
    const response = await fetch(`http://127.0.0.1:${JSON.parse(line).port}`, { method: 'POST', body: process.env.SETTINGS });
    process.stdout.write(await response.text());
  } finally {
    child.kill();
  }
});
