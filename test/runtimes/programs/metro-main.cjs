require('./bundled.js');

globalThis.prove(globalThis.client, JSON.parse(process.env.SETTINGS)).then((seen) => process.stdout.write(JSON.stringify(seen)));
