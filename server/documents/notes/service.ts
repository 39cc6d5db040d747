import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import { conflict, forbidden, notFound } from '#server/http/errors.ts';
import type { Clock } from '../../clock.ts';
import { ago } from '#server/text/ago.ts';
import { findItem } from '../rows.ts';
import type { NoteChange, NoteInput, NoteView } from './contract.ts';
import { NOTES_MAX } from './contract.ts';
import { mayDelete, mayEdit, mayWrite } from './policy.ts';

interface NoteDependencies {
  db: Knex;
  clock: Clock;
  audit: Pick<Audit, 'record'>;
}

interface NoteRow extends Omit<NoteView, 'may_edit' | 'may_delete'> {
  item_id: number;
}

/** Notes on items, visible to whoever sees the item. The history never contains their text, since notes can be deleted. */
export function createNotes({ db, clock, audit }: NoteDependencies) {
  const rows = (db: Knex, actor: Actor) =>
    db('notes as n')
      .join('users as u', 'u.id', 'n.user_id')
      .where('n.firm_id', actor.firmId)
      .select<NoteRow[]>(
        'n.id',
        'n.item_id',
        'n.text',
        'n.user_id',
        'u.name as user_name',
        'n.created_at',
        'n.edited_at',
      );

  const viewOf = (actor: Actor, { item_id: _item, ...note }: NoteRow): NoteView => ({
    ...note,
    may_edit: mayEdit(actor, note),
    may_delete: mayDelete(actor, note),
  });

  /** A note with its item. @throws {AppError} 404 also when the actor does not see the item. */
  async function find(db: Knex, actor: Actor, id: number) {
    const note = await rows(db, actor).where('n.id', id).first();
    if (!note) throw notFound('note');
    const item = await findItem(db, actor, note.item_id, 'documents.read').catch(() => {
      throw notFound('note');
    });
    return { note, item };
  }

  const record = (
    trx: Knex.Transaction,
    actor: Actor,
    did: 'note.add' | 'note.edit' | 'note.delete',
    item: { id: number; name: string },
  ) => audit.record(trx, { actor, did, subject: `item:${item.id}`, detail: { name: item.name } });

  return {
    /** The notes of an item, newest first. @throws {AppError} 404, 403. */
    async of(actor: Actor, itemId: number): Promise<NoteView[]> {
      await findItem(db, actor, itemId, 'documents.read');
      const found = await rows(db, actor).where('n.item_id', itemId).orderBy('n.id', 'desc');
      return found.map((note) => viewOf(actor, note));
    },

    /** @throws {AppError} 404, 403; 409 when the item has `NOTES_MAX` notes. */
    add(actor: Actor, itemId: number, { text }: NoteInput): Promise<NoteView> {
      return db.transaction(async (trx) => {
        const item = await findItem(trx, actor, itemId, 'documents.read');
        if (!mayWrite(actor)) throw forbidden();
        const existing = await trx('notes').where({ item_id: itemId }).count({ n: '*' }).first();
        if (Number(existing?.n) >= NOTES_MAX)
          throw conflict(`There are ${NOTES_MAX} notes on this already. Delete one first.`);
        const columns = { firm_id: actor.firmId, item_id: itemId, user_id: actor.userId };
        const [row] = await trx('notes')
          .insert({ ...columns, text, created_at: clock().toISOString() })
          .returning('id');
        await record(trx, actor, 'note.add', item);
        return viewOf(actor, (await rows(trx, actor).where('n.id', row.id).first())!);
      });
    },

    /** @throws {AppError} 404; 403 for a note by another user; 409 `note_changed` when it is no longer as `seen`. */
    edit(actor: Actor, id: number, { text, seen }: NoteChange): Promise<NoteView> {
      return db.transaction(async (trx) => {
        const { note, item } = await find(trx, actor, id);
        if (!mayEdit(actor, note)) throw forbidden('Only who wrote a note can change it.');
        if (note.text !== text) {
          // Only its author changes a note, so this was another tab or device.
          if (seen !== undefined && seen !== note.text)
            throw conflict(
              `You changed this note elsewhere ${ago(note.edited_at ?? note.created_at, clock())}. This text is not saved.`,
              'note_changed',
            );
          await trx('notes').where({ id }).update({ text, edited_at: clock().toISOString() });
          await record(trx, actor, 'note.edit', item);
        }
        return viewOf(actor, (await rows(trx, actor).where('n.id', id).first())!);
      });
    },

    /** @throws {AppError} 404; 403 for a note by another user, unless the actor is an admin. */
    remove(actor: Actor, id: number): Promise<void> {
      return db.transaction(async (trx) => {
        const { note, item } = await find(trx, actor, id);
        if (!mayDelete(actor, note)) throw forbidden('Only who wrote a note, or an admin, can delete it.');
        await trx('notes').where({ id }).delete();
        await record(trx, actor, 'note.delete', item);
      });
    },
  };
}
export type Notes = ReturnType<typeof createNotes>;
