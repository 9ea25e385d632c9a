/**
 * Whether tests start programs of the system other than git, Node, npm and `sh`. `npm test` needs no
 * others; `npm run test:programs` sets it.
 */
export const usesPrograms = process.env['TEST_PROGRAMS'] !== undefined;
