import type { Random } from '../scheduler/random.ts';
import { remember } from './journal.ts';
import type { Stage } from './person.ts';

/** A call of the dashboard. */
export interface Call {
  readonly name: string;
  readonly action: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The same in every try of the call; absent if a repetition only continues the work. */
  readonly token?: string;
}

/** How a call ended, as far as its caller knows. */
export type Outcome =
  | { readonly kind: 'done'; readonly result: Readonly<Record<string, unknown>>; readonly begunMs: number; readonly endedMs: number }
  | {
      readonly kind: 'refused' | 'unknown';
      /** Field of the error of a rejected call. */
      readonly field?: unknown;
      readonly begunMs: number;
      readonly endedMs: number;
    };

const mostTries = 4;
/** A function's timeout of a minute, and the time of a late call. */
export const aftermathMs = 100_000;

/** Calls an action with the same token until a response is final, and records the response. */
export const callAction = async ({ region, journal, tenant }: Stage, call: Call, random: Random): Promise<Outcome> => {
  const { name, action, input, token } = call;
  const { scheduler } = region.world;
  const begunMs = scheduler.now();
  let isUnknown = false;
  for (let tries = 1; ; tries++) {
    const triedMs = scheduler.now();
    const response = await region.action({ action, account: tenant.account, input, ...(token === undefined ? {} : { token }) });
    const endedMs = scheduler.now();
    scheduler.note(name, `${action} ${JSON.stringify(input)}: ${response ? (response.ok ? 'done' : response.status) : 'no answer'}`);
    if (response) journal.responses.push({ what: action, text: JSON.stringify(response), begunMs: triedMs, lagMs: 0 });
    if (response?.ok) return { kind: 'done', result: response.result as Record<string, unknown>, begunMs, endedMs };
    const isRejected = response !== undefined && response.status < 500 && response.body.error['code'] !== 'request_in_flight';
    if (isRejected && !isUnknown) return { kind: 'refused', field: response.body.error['field'], begunMs, endedMs };
    if (isRejected || tries === mostTries) return { kind: 'unknown', begunMs, endedMs: endedMs + aftermathMs };
    isUnknown = true;
    await scheduler.sleep(random.below(10_000));
  }
};

/** Calls an action that sets fields of a record, and records that they are set or may be set. */
export const changeRecord = async (
  stage: Stage,
  call: Call & { readonly subject: string; readonly fields: Readonly<Record<string, unknown>> },
  random: Random,
): Promise<Outcome> => {
  const { journal, tenant } = stage;
  journal.touched.add(call.subject);
  const outcome = await callAction(stage, call, random);
  if (outcome.kind !== 'refused')
    remember(journal, { account: tenant.account, subject: call.subject }, call.fields, {
      ...outcome,
      acknowledged: outcome.kind === 'done',
    });
  return outcome;
};
