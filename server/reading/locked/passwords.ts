import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Clock } from '#server/clock.ts';
import type { Sealer } from '#server/datadir/sealing.ts';
import type { ClientFacts } from './derived.ts';
import { derivedPasswords } from './derived.ts';

/** Remembered passwords of one client that are tried, the newest first. */
const REMEMBERED = 12;

/** What is known of a client; null when there is none. */
export type FactsOf = (firmId: number, clientId: number) => Promise<ClientFacts | null>;

/** The passwords of locked PDFs: sealed, of a content the one that opens it, of a client those that were typed. */
export function createPdfPasswords({
  db,
  clock,
  seal,
  factsOf,
  seesClient,
}: {
  db: Knex;
  clock: Clock;
  seal: Sealer;
  factsOf: FactsOf;
  seesClient: (actor: Actor, clientId: number) => Promise<boolean>;
}) {
  const opened = ({ sealed }: { sealed: Buffer }): string => seal.open(sealed).toString();

  /** The one that opens a content; null while nobody knows it. */
  async function known(firmId: number, sha256: string): Promise<string | null> {
    const row = await db('pdf_passwords').where({ firm_id: firmId, sha256 }).first('sealed');
    return row ? opened(row) : null;
  }

  /**
   * As `known`, for a person: what was entered for a client's document opens a copy of it elsewhere only for who sees
   * that client, since portals make such passwords of the client's own particulars.
   */
  async function knownTo(actor: Actor, sha256: string): Promise<string | null> {
    const row: { sealed: Buffer; for_client: number | null } | undefined = await db('pdf_passwords')
      .where({ firm_id: actor.firmId, sha256 })
      .first('sealed', 'for_client');
    if (!row) return null;
    const seen = row.for_client === null || (await seesClient(actor, row.for_client));
    return seen ? opened(row) : null;
  }

  async function candidates(
    firm_id: number,
    own: string | null,
    client_id: number | null,
  ): Promise<string[]> {
    if (client_id === null) return own === null ? [] : [own];
    const rows: { sealed: Buffer }[] = await db('pdf_passwords')
      .where({ firm_id, client_id })
      .orderBy('id', 'desc')
      .limit(REMEMBERED)
      .select('sealed');
    const facts = await factsOf(firm_id, client_id);
    return [
      ...new Set([
        ...(own === null ? [] : [own]),
        ...rows.map(opened),
        ...(facts ? derivedPasswords(facts) : []),
      ]),
    ];
  }

  return {
    known,

    knownTo,

    /** What is tried on a content of a client's, bounded, without the empty one. */
    candidates: async (firmId: number, sha256: string, clientId: number | null): Promise<string[]> =>
      candidates(firmId, await known(firmId, sha256), clientId),

    /** As `candidates`, of what a person may profit by. */
    candidatesTo: async (actor: Actor, sha256: string, clientId: number | null): Promise<string[]> =>
      candidates(actor.firmId, await knownTo(actor, sha256), clientId),

    /** Keeps the password that opens a content, in the place of another one. @param for_client whose document it is. */
    async keep(
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
      // Known for the documents of two clients, it is no secret of one of them.
      await db('pdf_passwords')
        .where({ firm_id, sha256 })
        .whereNotNull('for_client')
        .where((of) => (for_client === null ? of : of.whereNot({ for_client })))
        .update({ for_client: null });
    },

    /** Remembers a password for a client's other documents. */
    async remember(firmId: number, clientId: number, password: string): Promise<void> {
      const rows: { sealed: Buffer }[] = await db('pdf_passwords')
        .where({ firm_id: firmId, client_id: clientId })
        .select('sealed');
      if (rows.some((row) => opened(row) === password)) return;
      await db('pdf_passwords').insert({
        firm_id: firmId,
        client_id: clientId,
        sealed: seal.seal(password),
        made_at: clock().toISOString(),
      });
    },
  };
}
export type PdfPasswords = ReturnType<typeof createPdfPasswords>;
