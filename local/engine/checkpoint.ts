import type { State } from './state.ts';

/**
 * Opens the position of one table's change stream up to which all records are handled. It is stored
 * over restarts. 0 means that none is handled.
 */
export const openCheckpoint = (state: State, table: string) => {
  const get = state.prepare('SELECT position FROM checkpoints WHERE table_name = ?');
  const put = state.prepare('INSERT OR REPLACE INTO checkpoints (table_name, position) VALUES (?, ?)');
  return {
    load: (): number => Number(get.get(table)?.['position'] ?? 0),
    save: (position: number): void => void put.run(table, position),
  };
};

export type Checkpoint = ReturnType<typeof openCheckpoint>;
