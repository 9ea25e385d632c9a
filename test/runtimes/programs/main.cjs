const client = require('@bakery-commerce/client');
const prove = require('./prove.cjs');

prove(client, JSON.parse(process.env.SETTINGS)).then((seen) => process.stdout.write(JSON.stringify(seen)));
