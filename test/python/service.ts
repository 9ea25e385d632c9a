import { startRuntime } from '../../local/runtime.ts';
import { apiPrefix } from '../../shared/core/routes.ts';
import { actIn } from '../support/journey.ts';

/** The service that everything of the run speaks to, in memory and on ports of its own. */
export const startService = async () => {
  const runtime = await startRuntime({ regions: ['us'], seed: true, allowLoopbackWebhooks: true });
  const url = `${runtime.urls.us}${apiPrefix}`;
  const keyOf = async (account: string, input: object): Promise<string> => {
    const { key } = await actIn(runtime, 'us', 'key.create', { name: 'python', ...input }, account);
    return key;
  };
  const environment = async (account: string) => {
    const secret = await keyOf(account, { type: 'secret', group: 'fullAccess' });
    return {
      BAKERY_URL: url,
      BAKERY_API_KEY: secret,
      BAKERY_READ_KEY: await keyOf(account, { type: 'secret', group: 'readOnly' }),
      BAKERY_PUBLISHABLE_KEY: await keyOf(account, { type: 'publishable' }),
    };
  };
  return {
    runtime,
    /** Address of the region us, with `/api/v2`. */
    url,
    /** Environment of a program: the keys of an account of its own without records. */
    async newAccount() {
      const { id } = await actIn(runtime, 'us', 'account.create', { name: 'Python Bakery', plan: 'business' });
      await actIn(runtime, 'us', 'product.create', { name: 'Sourdough loaf', price: 8.5 }, id);
      return environment(id);
    },
    /** The same for the demo account, which has products, time slots and records. */
    demoAccount: await environment(runtime.demo.us?.account ?? ''),
  };
};

export type Service = Awaited<ReturnType<typeof startService>>;
