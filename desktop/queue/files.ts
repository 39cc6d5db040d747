import { randomUUID } from 'node:crypto';
import { basename, dirname, sep } from 'node:path';
import type { Database } from './database.ts';
import { transaction } from './database.ts';

/**
 * `settling`: perhaps still being written. `waiting`: complete and queued. `sending`: being uploaded.
 * `arrived`: uploaded, but not yet moved or deleted here. `done`, `failed`: finished, until the file changes.
 */
export type State = 'settling' | 'waiting' | 'sending' | 'arrived' | 'done' | 'failed';

export interface QueuedFile {
  id: number;
  vault: number;
  /** The watched folder; null for a dropped file, or one that has left its folder. */
  folder: number | null;
  path: string;
  /** Local folder that contains the file. */
  lies_in: string;
  /** Path from the watched folder to the file's folder, with `/`. */
  sub_path: string;
  name: string;
  /** Target of a dropped file. */
  parent_id: number | null;
  target: string;
  size: number;
  /** Modification time, in ms since 1970. */
  changed_at: number;
  looked_at: number;
  state: State;
  sha256: string | null;
  /** The idempotency key of this content: the same for all attempts. */
  upload_key: string;
  /** Path of the upload at the vault. */
  upload_url: string | null;
  /** 1 once the vault may know `upload_key`. */
  begun: 0 | 1;
  sent: number;
  problem: string | null;
  /** The document that an earlier content of this file became; a changed content becomes its next version. */
  item_id: number | null;
  /**
   * Above 0 if this very content was uploaded before the vault was restored from a backup, which may hold it, anywhere: 2 if it
   * was a document of its own, 1 if the vault had it already.
   */
  sent_before: 0 | 1 | 2;
  ended_at: number | null;
}
/** Size and time of a file on disk. */
export interface FileStat {
  path: string;
  size: number;
  changed_at: number;
}
export type SeenFile = FileStat & { sub_path: string };

/** Each of them may be asked for. */
const ALIKE_MOST = 20;
/** How long finished files that are no longer in a watched folder stay listed. */
const LISTED_MS = 7 * 24 * 60 * 60_000;

/** A new upload, whose key is made without a call per row; one that was begun is cancelled (`abandoned`). */
const NEW_UPLOAD = `upload_key = lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-' || hex(randomblob(2)) || '-' ||
  hex(randomblob(2)) || '-' || hex(randomblob(6))), upload_url = NULL, begun = 0, sent = 0`;
const UNSENT = `folder = ? AND state IN ('settling', 'waiting', 'failed')`;
/** For a new content. */
const RESET_UPLOAD = `sha256 = NULL, ${NEW_UPLOAD}, problem = NULL, ended_at = NULL, sent_before = 0`;

/** All paths below a folder sort from `start`, which they begin with, to before `end`. A drive ends in a separator itself. */
function boundsBelow(folder: string): [start: string, end: string] {
  const bare = folder.endsWith(sep) ? folder.slice(0, -1) : folder;
  return [`${bare}${sep}`, `${bare}${String.fromCharCode(sep.charCodeAt(0) + 1)}`];
}

export function createFiles(db: Database) {
  // Requeue interrupted uploads, and drop old entries of the list.
  db.prepare(`UPDATE files SET state = 'waiting' WHERE state = 'sending'`).run();
  db.prepare(`DELETE FROM files WHERE folder IS NULL AND state = 'done' AND coalesce(ended_at, 0) < ?`).run(
    Date.now() - LISTED_MS,
  );

  const byPath = db.prepare('SELECT * FROM files WHERE vault = ? AND folder = ? AND path = ?');
  const byId = db.prepare('SELECT * FROM files WHERE id = ?');
  const insert = db.prepare(
    `INSERT INTO files (vault, folder, path, lies_in, sub_path, name, parent_id, target, size, changed_at, looked_at,
       state, upload_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const restart = db.prepare(
    `UPDATE files SET state = 'settling', size = ?, changed_at = ?, looked_at = ?, ${RESET_UPLOAD} WHERE id = ?`,
  );
  const detach = db.prepare('UPDATE files SET folder = NULL WHERE id = ?');
  const untie = db.prepare(`UPDATE files SET item_id = NULL, state = 'settling', looked_at = 0 WHERE id = ?`);
  const inPlace = db.prepare(
    `SELECT id, name, state FROM files WHERE folder = ? AND lies_in = ? AND state NOT IN ('sending', 'arrived')`,
  );
  const placesBelow = db.prepare(
    'SELECT DISTINCT lies_in FROM files WHERE folder = ? AND lies_in >= ? AND lies_in < ?',
  );
  const place = db.prepare('UPDATE files SET sub_path = ? WHERE id = ?');
  const forget = db.prepare('DELETE FROM files WHERE id = ?');
  const setState = db.prepare('UPDATE files SET state = ?, problem = ? WHERE id = ?');
  const find = (id: number) => byId.get(id) as unknown as QueuedFile | undefined;

  return {
    find,

    /**
     * Records files found in a watched folder. Unchanged files stay as they are, changed ones are queued again.
     * @returns how many have to settle.
     */
    record(folder: { id: number; vault: number; target: string }, seen: readonly SeenFile[]): number {
      let settling = 0;
      const now = Date.now();
      transaction(db, () => {
        for (const { path, sub_path, size, changed_at } of seen) {
          const recorded = byPath.get(folder.vault, folder.id, path) as unknown as QueuedFile | undefined;
          if (recorded && recorded.size === size && recorded.changed_at === changed_at) continue;
          settling += 1;
          if (!recorded) {
            const where = [folder.vault, folder.id, path, dirname(path), sub_path, basename(path)] as const;
            insert.run(...where, null, folder.target, size, changed_at, now, 'settling', randomUUID());
          } else if (recorded.state === 'sending') {
            // Its upload will notice the change and let the file settle.
            settling -= 1;
          } else {
            restart.run(size, changed_at, now, recorded.id);
            if (recorded.sub_path !== sub_path) place.run(sub_path, recorded.id);
          }
        }
      });
      return settling;
    },

    /**
     * Ends the tie to files that are missing from a local folder, with all that lay in its missing sub-folders, or are left
     * out of it: a new file of the same path is then not a version of the old one. What was uploaded stays listed; a
     * failed file, which is the user's own wherever it is now, is forgotten, so that it can neither be sent nor removed any more.
     * One that is queued is to be checked, whether it is gone; if not, it is sent as a document of its own.
     * @returns how many are to be checked.
     */
    releaseMissing(folder: number, place: string, names: ReadonlySet<string>): number {
      let settling = 0;
      const [start, end] = boundsBelow(place);
      const missing = (placesBelow.all(folder, start, end) as unknown as { lies_in: string }[])
        .map(({ lies_in }) => lies_in)
        .filter((below) => !names.has(below.slice(start.length).split(sep)[0]!));
      transaction(db, () => {
        for (const one of [place, ...missing])
          for (const { id, name, state } of inPlace.all(folder, one) as unknown as QueuedFile[])
            if (one !== place || !names.has(name)) {
              const release = state === 'done' ? detach : state === 'failed' ? forget : untie;
              release.run(id);
              if (release === untie) settling += 1;
            }
      });
      return settling;
    },
    /** The file has left its watched folder; its row only serves the list. */
    detach: (id: number) => void detach.run(id),

    /** Queues a file dropped into the window, which is already complete. */
    drop(
      to: { vault: number; parent_id: number | null; target: string },
      { path, size, changed_at, name }: FileStat & { name: string },
    ): void {
      const target = [to.vault, null, path, dirname(path), '', name, to.parent_id, to.target] as const;
      insert.run(...target, size, changed_at, Date.now(), 'waiting', randomUUID());
    },

    /** Settling files last checked before `before`, or at a time in the future, which a wrong clock recorded. */
    settling: (before: number, limit = 500) =>
      db
        .prepare(
          `SELECT * FROM files WHERE state = 'settling' AND (looked_at <= ? OR looked_at > ?) ORDER BY looked_at LIMIT ?`,
        )
        .all(before, Date.now() + 60_000, limit) as unknown as QueuedFile[],
    recheck(id: number, { size, changed_at }: Omit<FileStat, 'path'>, problem: string | null): void {
      db.prepare(
        `UPDATE files SET size = ?, changed_at = ?, looked_at = ?, problem = ? WHERE id = ? AND state = 'settling'`,
      ).run(size, changed_at, Date.now(), problem, id);
    },
    /** A file that was removed from the queue while it was being checked stays removed. */
    markComplete: (id: number) =>
      void db
        .prepare(`UPDATE files SET state = 'waiting', problem = NULL WHERE id = ? AND state = 'settling'`)
        .run(id),

    /**
     * The next file to send to a vault, in order of arrival; files in folders with problems or out of reach are
     * skipped, and those larger than the vault's room. One that is half sent has its room already.
     */
    next: (
      vault: number,
      except: readonly number[],
      unreachable: readonly number[] = [],
      room = Number.MAX_SAFE_INTEGER,
    ) =>
      db
        .prepare(
          `SELECT * FROM files WHERE state = 'waiting' AND vault = ? AND id NOT IN (SELECT value FROM json_each(?))
             AND (folder IS NULL OR folder NOT IN (SELECT id FROM folders WHERE trouble IS NOT NULL))
             AND (folder IS NULL OR folder NOT IN (SELECT value FROM json_each(?)))
             AND (size <= ? OR upload_url IS NOT NULL)
           ORDER BY id LIMIT 1`,
        )
        .get(vault, JSON.stringify(except), JSON.stringify(unreachable), room) as unknown as
        QueuedFile | undefined,
    /** Size of the largest file that waits for room in the vault; 0 if none does. */
    largest: (vault: number): number =>
      Number(
        db
          .prepare(
            `SELECT coalesce(max(size), 0) AS bytes FROM files
             WHERE state IN ('settling', 'waiting') AND vault = ? AND upload_url IS NULL`,
          )
          .get(vault)?.bytes,
      ),
    arrived: (vault: number) =>
      db
        .prepare(`SELECT * FROM files WHERE state = 'arrived' AND vault = ? ORDER BY id`)
        .all(vault) as unknown as QueuedFile[],
    /** Other files of this content, of all watched folders of the vault. */
    alike: ({ id, vault, sha256, size }: Pick<QueuedFile, 'id' | 'vault' | 'sha256' | 'size'>) =>
      db
        .prepare(
          `SELECT f.item_id, f.sub_path, w.parent_id FROM files f JOIN folders w ON w.id = f.folder
           WHERE f.vault = ? AND f.sha256 = ? AND f.size = ? AND f.id <> ? ORDER BY f.id LIMIT ?`,
        )
        .all(vault, sha256, size, id, ALIKE_MOST) as unknown as {
        item_id: number | null;
        sub_path: string;
        parent_id: number | null;
      }[],

    sending: (id: number) => void setState.run('sending', null, id),
    requeue: (id: number, problem: string | null) => void setState.run('waiting', problem, id),
    fail: (id: number, problem: string) =>
      void db
        .prepare(`UPDATE files SET state = 'failed', problem = ?, ended_at = ? WHERE id = ?`)
        .run(problem, Date.now(), id),
    /** The content has changed before it was sent: start a new upload once the file has settled. */
    changed(id: number, { size, changed_at }: Omit<FileStat, 'path'>): void {
      restart.run(size, changed_at, Date.now(), id);
    },
    hashed: (id: number, sha256: string | null) =>
      void db.prepare('UPDATE files SET sha256 = ? WHERE id = ?').run(sha256, id),
    begin: (id: number) => void db.prepare('UPDATE files SET begun = 1 WHERE id = ?').run(id),
    located: (id: number, url: string | null) =>
      void db.prepare('UPDATE files SET upload_url = ?, sent = 0 WHERE id = ?').run(url, id),
    sent: (id: number, sent: number) =>
      void db.prepare('UPDATE files SET sent = ? WHERE id = ?').run(sent, id),
    /** @param item_id the document made of the file; null if the vault had the content, in a document that may be anybody's. */
    arrive: (id: number, item_id: number | null) =>
      void db
        .prepare(
          `UPDATE files SET state = 'arrived', item_id = coalesce(?, item_id), sent = size, sent_before = 0
           WHERE id = ?`,
        )
        .run(item_id, id),
    done: (id: number, problem: string | null = null) =>
      void db
        .prepare(`UPDATE files SET state = 'done', problem = ?, ended_at = ? WHERE id = ?`)
        .run(problem, Date.now(), id),
    /** Removed from the queue by the user, until the file changes. */
    skip: (id: number) =>
      void db
        .prepare(
          `UPDATE files SET state = 'done', ${NEW_UPLOAD}, problem = NULL, ended_at = NULL WHERE id = ?`,
        )
        .run(id),
    forget: (id: number) => void forget.run(id),

    /**
     * Files of a watched folder that were not sent yet go to its new target, as new uploads: the vault may have completed
     * one already that was begun for the old target. For another vault the next scan finds them again.
     */
    redirect(folder: number, vault: number): void {
      db.prepare(`DELETE FROM files WHERE ${UNSENT} AND vault <> ?`).run(folder, vault);
      db.prepare(`UPDATE files SET ${NEW_UPLOAD} WHERE ${UNSENT}`).run(folder);
    },

    /**
     * Files of a watched folder that were not sent yet follow a changed choice of it: one that no longer belongs to the folder
     * is forgotten, and one that goes elsewhere in the vault is a new upload.
     * @param placeOf the path to a file's folder in the vault; null if the file does not belong to the watched folder.
     */
    reconsider(folder: number, placeOf: (path: string) => string | null): void {
      const unsent = db.prepare(`SELECT id, path, sub_path FROM files WHERE ${UNSENT}`).all(folder);
      const renew = db.prepare(`UPDATE files SET ${NEW_UPLOAD} WHERE id = ?`);
      transaction(db, () => {
        for (const { id, path, sub_path } of unsent as unknown as QueuedFile[]) {
          const now = placeOf(path);
          if (now === null) forget.run(id);
          else if (now !== sub_path) {
            place.run(now, id);
            renew.run(id);
          }
        }
      });
    },

    /** Requeues failed files: one, or all. */
    retry(id?: number): void {
      db.prepare(
        `UPDATE files SET state = 'settling', looked_at = 0, ${NEW_UPLOAD}, problem = NULL, ended_at = NULL
         WHERE state = 'failed' AND (? IS NULL OR id = ?)`,
      ).run(id ?? null, id ?? null);
    },

    /** Files for the window: in progress and failed first, then queued, then recently finished. */
    shown: (limit = 200) =>
      db
        .prepare(
          `SELECT * FROM (
             SELECT *, CASE state WHEN 'sending' THEN 0 WHEN 'arrived' THEN 0 WHEN 'failed' THEN 1 ELSE 2 END AS place
             FROM files WHERE state IN ('sending', 'arrived', 'failed')
             UNION ALL SELECT *, 2 FROM (SELECT * FROM files WHERE state = 'waiting' ORDER BY id LIMIT ?1)
             UNION ALL SELECT *, 3 FROM (SELECT * FROM files WHERE state = 'settling' ORDER BY id LIMIT ?1)
             UNION ALL SELECT *, 4 FROM (SELECT * FROM files WHERE state = 'done' AND ended_at IS NOT NULL
               ORDER BY ended_at DESC LIMIT 50))
           ORDER BY place, CASE WHEN place = 4 THEN -ended_at ELSE id END LIMIT ?1`,
        )
        .all(limit) as unknown as QueuedFile[],
    totals: () =>
      db
        .prepare(
          `SELECT state, count(*) AS files, sum(size) AS bytes, sum(sent) AS sent FROM files
           WHERE state <> 'done' GROUP BY state`,
        )
        .all() as unknown as { state: State; files: number; bytes: number; sent: number }[],
    /** Removes finished files from the list; the rows stay. */
    clearEnded: () =>
      void db.prepare(`UPDATE files SET ended_at = NULL WHERE state = 'done' AND ended_at IS NOT NULL`).run(),
  };
}
export type Files = ReturnType<typeof createFiles>;
