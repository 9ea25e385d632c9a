globalThis.client = require('@bakery-commerce/client');
globalThis.prove = require('./prove.cjs');
