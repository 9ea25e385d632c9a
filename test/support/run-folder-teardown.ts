export { teardown as default } from './run-folder.ts';
