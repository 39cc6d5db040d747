import type { Database } from './database.ts';

const KEPT = 2000;

export interface LogLine {
  id: number;
  /** Milliseconds since 1970, by the computer's clock. */
  at: number;
  kind: 'done' | 'note' | 'problem';
  text: string;
}

/** What happened, in words for the person at the computer. */
export function createLog(db: Database) {
  const insert = db.prepare('INSERT INTO log (at, kind, text) VALUES (?, ?, ?)');
  const trim = db.prepare('DELETE FROM log WHERE id <= ?');
  return {
    add(kind: LogLine['kind'], text: string): void {
      const { lastInsertRowid } = insert.run(Date.now(), kind, text);
      if (Number(lastInsertRowid) % 100 === 0) trim.run(Number(lastInsertRowid) - KEPT);
    },
    newest: (limit = 200) =>
      db.prepare('SELECT * FROM log ORDER BY id DESC LIMIT ?').all(limit) as unknown as LogLine[],
  };
}
export type Log = ReturnType<typeof createLog>;
