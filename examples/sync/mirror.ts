import { DatabaseSync } from 'node:sqlite';

export interface Synced {
  readonly id: string;
  readonly updated_at: string;
}

export interface Counts {
  readonly written: number;
  /** Records that arrived again without a change. */
  readonly unchanged: number;
}

/** Your system's copy of the bakery's records: here, a table by resource and id. */
export const openMirror = (path: string) => {
  const db = new DatabaseSync(path);
  db.exec('CREATE TABLE IF NOT EXISTS records (resource TEXT, id TEXT, updated_at TEXT, json TEXT, PRIMARY KEY (resource, id)) STRICT');
  // A record may arrive several times, and never replaces a later version of itself.
  const upsert = db.prepare(`
    INSERT INTO records (resource, id, updated_at, json) VALUES (?, ?, ?, ?)
    ON CONFLICT (resource, id) DO UPDATE SET updated_at = excluded.updated_at, json = excluded.json
    WHERE excluded.updated_at >= updated_at AND excluded.json <> json`);
  return {
    /** Stores all of a page, or none of it. */
    upsert(resource: string, records: readonly Synced[]): Counts {
      let written = 0;
      db.exec('BEGIN');
      try {
        for (const record of records) written += Number(upsert.run(resource, record.id, record.updated_at, JSON.stringify(record)).changes);
        db.exec('COMMIT');
      } catch (error) {
        db.exec('ROLLBACK');
        throw error;
      }
      return { written, unchanged: records.length - written };
    },
    close: () => db.close(),
  };
};

export type Mirror = ReturnType<typeof openMirror>;
