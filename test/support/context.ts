import { invocationContext } from '../../local/lambda.ts';

const dayMs = 86_400_000;

/** The context of an invocation that never runs out of time, because a loaded machine may need long. */
export const context = { ...invocationContext('test', dayMs), getRemainingTimeInMillis: () => dayMs };
