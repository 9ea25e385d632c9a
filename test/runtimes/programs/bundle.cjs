const Metro = require('metro');

/** Bundles metro-entry.cjs as React Native does, in place of which Node runs it. */
const main = async () => {
  const projectRoot = __dirname;
  const transformer = { babelTransformerPath: require.resolve('metro-babel-transformer') };
  const config = await Metro.loadConfig(
    { cwd: projectRoot },
    { projectRoot, transformer, resolver: { useWatchman: false }, reporter: { update() {} } },
  );
  await Metro.runBuild(config, { entry: 'metro-entry.cjs', dev: false, minify: false, out: 'bundled', platform: process.argv[2] });
};
void main();
