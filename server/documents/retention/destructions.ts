import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { JobKind } from '#server/jobs/kinds.ts';
import { decodeCursor, encodeCursor, whole } from '#server/http/cursor.ts';
import { conflict, forbidden, notFound } from '#server/http/errors.ts';
import { queryRows } from '#server/db/sql.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import { seesAll } from '#server/visibility/visible.ts';
import { certificateName, certificatePdf } from './certificate.ts';
import type { ConfirmDestruction, DestructionPage, DestructionsQuery, DestructionView } from './contract.ts';
import type { Destroyed, DestroyDependencies, DestructionDependencies } from './destroy.ts';
import { confirmDestruction, destroy, destroyedOf } from './destroy.ts';
import { mayManage } from './policy.ts';

/** The kind of the job that runs a destruction; the job's input contains the destruction's id. */
export const DESTROYING = 'destruction';
const PAGE = 30;

type Row = Omit<DestructionView, 'formatted_bytes'> & { firm_name: string };

/** Destructions: all of the firm for actors who see all clients, otherwise those that the actor confirmed. */
const rowsOf = (db: Knex, actor: Actor, where: string, bindings: Knex.RawBinding[]): Promise<Row[]> =>
  queryRows(
    db,
    `SELECT d.id, d.firm_name, d.reason, d.confirmed_by_name AS confirmed_by, d.confirmed_at, d.finished_at, d.listed,
       d.files, d.bytes, d.digest,
       (SELECT count(*) FROM destruction_files f WHERE f.destruction_id = d.id AND f.kept_because IS NOT NULL) AS stayed
     FROM destructions d WHERE d.firm_id = ? ${seesAll(actor) ? '' : `AND d.confirmed_by = ${actor.userId}`} AND ${where}`,
    [actor.firmId, ...bindings],
  );

const viewOf = ({ firm_name: _, bytes, ...row }: Row): DestructionView => ({
  ...row,
  bytes: Number(bytes),
  formatted_bytes: formatBytes(Number(bytes)),
});

/** Destructions of files whose retention has expired, and their certificates, which are kept. */
export function createDestructions(dependencies: DestructionDependencies) {
  const { db } = dependencies;
  const requireManage = (actor: Actor) => {
    if (!mayManage(actor)) throw forbidden();
  };

  async function find(actor: Actor, id: number): Promise<Row> {
    requireManage(actor);
    const [row] = await rowsOf(db, actor, 'd.id = ?', [id]);
    if (!row) throw notFound('certificate');
    return row;
  }
  const filesOf = async (id: number): Promise<Destroyed[]> => destroyedOf(db, id);

  return {
    /** @throws {AppError} 403; 422 on `current_password`; 409 `stays` when one of the files may not be destroyed now. */
    async confirm(actor: Actor, request: ConfirmDestruction): Promise<DestructionView> {
      return viewOf(await find(actor, await confirmDestruction(dependencies, actor, request)));
    },

    /** A page, newest first. @throws {AppError} 403; 422 for a cursor of another list. */
    async list(actor: Actor, { limit = PAGE, cursor }: DestructionsQuery = {}): Promise<DestructionPage> {
      requireManage(actor);
      const [, after] =
        cursor === undefined ? ['', Number.MAX_SAFE_INTEGER] : decodeCursor(cursor, ['destructions', whole]);
      const rows = await rowsOf(db, actor, 'd.id < ? ORDER BY d.id DESC LIMIT ?', [after, limit + 1]);
      const page = rows.slice(0, limit);
      return {
        items: page.map(viewOf),
        next_cursor: rows.length > limit ? encodeCursor(['destructions', page.at(-1)!.id]) : null,
      };
    },

    /** The certificate as a PDF. @throws {AppError} 404, 403; 409 while the destruction is running. */
    async certificate(actor: Actor, id: number): Promise<{ name: string; pdf: Buffer }> {
      const row = await find(actor, id);
      if (row.finished_at === null)
        throw conflict(
          'The files are still being destroyed. The certificate is ready in a moment.',
          'going_on',
        );
      const view = viewOf(row);
      return {
        name: certificateName(view),
        pdf: await certificatePdf({ ...view, firm_name: row.firm_name }, await filesOf(id)),
      };
    },

    /** All finished destructions with their files, for an export. @throws {AppError} 403. */
    async all(actor: Actor): Promise<(DestructionView & { destroyed: Destroyed[] })[]> {
      requireManage(actor);
      const rows = await rowsOf(db, actor, 'd.finished_at IS NOT NULL ORDER BY d.id', []);
      const all = [];
      for (const row of rows) all.push({ ...viewOf(row), destroyed: await filesOf(row.id) });
      return all;
    },
  };
}
export type Destructions = ReturnType<typeof createDestructions>;

/** The job of a destruction; after a restart it resumes with the remaining files. */
export const destroying = (dependencies: DestroyDependencies): JobKind => ({
  slots: 1,
  perFirm: 1,
  attempts: 1000,
  retryAfterMs: (_error, { attempt }) => Math.min(60, attempt) * 60_000,
  async run({ input, signal, report }) {
    const files = await destroy(dependencies, Number(input['destruction']), {
      signal,
      report: (progress) => report({ progress }),
    });
    return { message: `${files} destroyed`, data: { files } };
  },
});
