import { Worker } from 'node:worker_threads';

new Worker(new URL('main.mjs', import.meta.url));
