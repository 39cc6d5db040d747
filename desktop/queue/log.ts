import type { Database } from './database.ts';

const MAX_LINES = 2000;

export interface LogLine {
  id: number;
  /** Ms since 1970, by the local clock. */
  at: number;
  kind: 'done' | 'note' | 'problem';
  text: string;
}

/** Events, in words for the user. */
export function createLog(db: Database) {
  const insert = db.prepare('INSERT INTO log (at, kind, text) VALUES (?, ?, ?)');
  const trim = db.prepare('DELETE FROM log WHERE id <= ?');
  return {
    /** Adds a line. One that cannot be written is lost, so that a full disk stops only the log. */
    add(kind: LogLine['kind'], text: string): void {
      try {
        const { lastInsertRowid } = insert.run(Date.now(), kind, text);
        if (Number(lastInsertRowid) % 100 === 0) trim.run(Number(lastInsertRowid) - MAX_LINES);
      } catch {}
    },
    newest: (limit = 200) =>
      db.prepare('SELECT * FROM log ORDER BY id DESC LIMIT ?').all(limit) as unknown as LogLine[],
  };
}
export type Log = ReturnType<typeof createLog>;
