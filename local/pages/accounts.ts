import type { Region } from '../../shared/core/regions.ts';
import type { State } from '../engine/state.ts';
import type { ActionCall } from '../region.ts';
import type { DemoAccount } from '../seed.ts';

export interface KnownAccount {
  readonly id: string;
  readonly name: string;
}

export interface KnownAccounts {
  /** The demo account first, the others in the order of their making. */
  list(region: Region, demo?: DemoAccount): readonly KnownAccount[];
  /** Takes note of an account that the action has made or renamed; forgets one that it has begun to erase. */
  note(region: Region, call: ActionCall, answer: unknown): void;
}

/** Accounts that were made here, for choosing among them: the table itself lists none, as no read of it is without an owner. */
export const openKnownAccounts = (state: State): KnownAccounts => ({
  list(region, demo) {
    const made = state.prepare('SELECT id, name FROM accounts WHERE region = ? ORDER BY id').all(region);
    const accounts = made.map(({ id, name }) => ({ id: String(id), name: String(name) }));
    return demo ? [{ id: demo.account, name: demo.name }, ...accounts.filter(({ id }) => id !== demo.account)] : accounts;
  },
  note(region, { action }, answer) {
    const { ok, result } = answer as { ok: boolean; result?: KnownAccount };
    if (!ok || !result) return;
    if (action === 'account.create' || action === 'account.update')
      state.prepare('INSERT OR REPLACE INTO accounts (region, id, name) VALUES (?, ?, ?)').run(region, result.id, result.name);
    if (action === 'account.erase') state.prepare('DELETE FROM accounts WHERE region = ? AND id = ?').run(region, result.id);
  },
});
