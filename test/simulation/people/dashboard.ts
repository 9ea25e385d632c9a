import type { ActionResponse } from '../../../functions/actions/app.ts';
import type { Random } from '../scheduler/random.ts';
import type { Region } from '../world/region.ts';

const tries = 3;

export interface ActionCall {
  readonly action: string;
  readonly account?: string;
  readonly input: unknown;
  readonly token: string;
}

/**
 * Calls an action as the dashboard does: it repeats the call with the same token if the response
 * was lost. Undefined without any response.
 */
export const act = async (region: Region, name: string, call: ActionCall, random: Random): Promise<ActionResponse | undefined> => {
  const { scheduler } = region.world;
  for (let remaining = tries; remaining > 0; remaining--) {
    const response = await region.action(call);
    scheduler.note(
      name,
      `${call.action} ${JSON.stringify(call.input)}: ${response ? (response.ok ? 'done' : response.status) : 'no answer'}`,
    );
    if (response && (response.ok || response.status < 500)) return response;
    await scheduler.sleep(random.below(10_000));
  }
  return undefined;
};
