/// <reference types="node" />
import { webcrypto } from 'node:crypto';
import { provideWebCrypto } from './web-crypto.ts';

// What Node imports. Node 18 has Web Crypto only in a module, which bundlers for other platforms cannot load.
provideWebCrypto(webcrypto as typeof globalThis.crypto);

export * from './index.ts';
