import type { Invariant } from './invariant.ts';

export const oneEmail: Invariant = {
  number: 16,
  name: 'no two customers of an account ever have one email',
  breaches({ region }) {
    const holders = new Map<string, string>();
    const breaches: string[] = [];
    for (const { key, before, after } of region.engine.table('simulated').changes) {
      const [kind, account] = String(key['pk']).split('#');
      if (kind !== 'cus') continue;
      const id = String(key['sk']);
      const [was, is] = [before, after].map((image) =>
        (image?.['view'] as { readonly email?: string | null } | undefined)?.email?.toLowerCase(),
      );
      if (was !== undefined && was !== is) holders.delete(`${account}/${was}`);
      const holder = is === undefined ? undefined : holders.get(`${account}/${is}`);
      if (holder !== undefined && holder !== id) breaches.push(`${id} has ${is}, and ${holder} has it as well.`);
      if (is !== undefined) holders.set(`${account}/${is}`, id);
    }
    return breaches;
  },
};
