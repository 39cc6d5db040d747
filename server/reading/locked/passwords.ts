import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Clock } from '#server/clock.ts';
import type { Sealer } from '#server/db/column-encryption.ts';
import { isReadable } from '#server/visibility/readable.ts';
import type { ClientFacts } from './derived.ts';
import { derivedPasswords } from './derived.ts';
import { tryLockedAgain } from './try-again.ts';

/** Remembered passwords tried per client, newest first. */
const REMEMBERED_MAX = 12;

/** What is known of a client; null when there is none. */
type FactsOf = (firmId: number, clientId: number) => Promise<ClientFacts | null>;

/**
 * The passwords of locked PDFs, sealed: per content the one that opens it, per client those that were typed and
 * remembered.
 */
export function createPdfPasswords({
  db,
  clock,
  seal,
  factsOf,
}: {
  db: Knex;
  clock: Clock;
  seal: Sealer;
  factsOf: FactsOf;
}) {
  const unseal = ({ sealed }: { sealed: Buffer }): string => seal.open(sealed).toString();

  /** The password of a content; null while it is not known. */
  async function known(firmId: number, sha256: string): Promise<string | null> {
    const row = await db('pdf_passwords').where({ firm_id: firmId, sha256 }).first('sealed');
    return row ? unseal(row) : null;
  }

  /** As `known`, limited to what the user may know, see `andReadable`. */
  const knownTo = async (actor: Actor, sha256: string): Promise<string | null> =>
    (await isReadable(db, actor, sha256)) ? known(actor.firmId, sha256) : null;

  async function candidates(
    firm_id: number,
    own: string | null,
    client_id: number | null,
  ): Promise<string[]> {
    if (client_id === null) return own === null ? [] : [own];
    const rows: { sealed: Buffer }[] = await db('pdf_passwords')
      .where({ firm_id, client_id })
      .orderBy('id', 'desc')
      .limit(REMEMBERED_MAX)
      .select('sealed');
    const facts = await factsOf(firm_id, client_id);
    return [
      ...new Set([
        ...(own === null ? [] : [own]),
        ...rows.map(unseal),
        ...(facts ? derivedPasswords(facts) : []),
      ]),
    ];
  }

  return {
    known,

    knownTo,

    /** The passwords to try on a content of a client, without the empty one; their number is bounded. */
    candidates: async (firmId: number, sha256: string, clientId: number | null): Promise<string[]> =>
      candidates(firmId, await known(firmId, sha256), clientId),

    /** As `candidates`, limited to what the user may know, see `knownTo`. */
    candidatesTo: async (actor: Actor, sha256: string, clientId: number | null): Promise<string[]> =>
      candidates(actor.firmId, await knownTo(actor, sha256), clientId),

    /**
     * Stores the password that opens a content, replacing an earlier one. @param for_client the client whose document
     * it is.
     */
    async store(
      firm_id: number,
      sha256: string,
      { password, for_client }: { password: string; for_client: number | null },
    ): Promise<void> {
      const row = {
        firm_id,
        sha256,
        sealed: seal.seal(password),
        for_client,
        made_at: clock().toISOString(),
      };
      if ((await known(firm_id, sha256)) !== password) {
        await db('pdf_passwords')
          .insert(row)
          .onConflict(['firm_id', 'sha256'])
          .merge(['sealed', 'for_client', 'made_at']);
        return;
      }
      // It opens documents of two clients, so it is no secret of one of them.
      await db('pdf_passwords')
        .where({ firm_id, sha256 })
        .whereNotNull('for_client')
        .where((of) => (for_client === null ? of : of.whereNot({ for_client })))
        .update({ for_client: null });
    },

    /** Remembers a password for a client's other documents, those that are locked included. */
    async remember(firmId: number, clientId: number, password: string): Promise<void> {
      const rows: { sealed: Buffer }[] = await db('pdf_passwords')
        .where({ firm_id: firmId, client_id: clientId })
        .select('sealed');
      if (rows.some((row) => unseal(row) === password)) return;
      const row = {
        firm_id: firmId,
        client_id: clientId,
        sealed: seal.seal(password),
        made_at: clock().toISOString(),
      };
      await db.transaction(async (trx) => {
        await trx('pdf_passwords').insert(row);
        await tryLockedAgain(trx, firmId, [clientId]);
      });
    },
  };
}
export type PdfPasswords = ReturnType<typeof createPdfPasswords>;
