import { invocationContext } from '../../local/lambda.ts';

/** The context of an invocation that has a minute. */
export const context = invocationContext('test', 60_000);
