require('./bundled.js');

globalThis.prove(globalThis.client, JSON.parse(process.env.SETTINGS)).then((seen) => console.log(JSON.stringify(seen)));
