import type { Knex } from 'knex';
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
}: {
  db: Knex;
  clock: Clock;
  seal: Sealer;
  factsOf: FactsOf;
}) {
  const opened = ({ sealed }: { sealed: Buffer }): string => seal.open(sealed).toString();

  /** The one that opens a content; null while nobody knows it. */
  async function known(firmId: number, sha256: string): Promise<string | null> {
    const row = await db('pdf_passwords').where({ firm_id: firmId, sha256 }).first('sealed');
    return row ? opened(row) : null;
  }

  return {
    known,

    /** What is tried on a content of a client's, bounded, without the empty one. */
    async candidates(firmId: number, sha256: string, clientId: number | null): Promise<string[]> {
      const own = await known(firmId, sha256);
      if (clientId === null) return own === null ? [] : [own];
      const rows: { sealed: Buffer }[] = await db('pdf_passwords')
        .where({ firm_id: firmId, client_id: clientId })
        .orderBy('id', 'desc')
        .limit(REMEMBERED)
        .select('sealed');
      const facts = await factsOf(firmId, clientId);
      return [
        ...new Set([
          ...(own === null ? [] : [own]),
          ...rows.map(opened),
          ...(facts ? derivedPasswords(facts) : []),
        ]),
      ];
    },

    /** Keeps the password that opens a content, in the place of another one. */
    async keep(firmId: number, sha256: string, password: string): Promise<void> {
      if ((await known(firmId, sha256)) === password) return;
      await db('pdf_passwords')
        .insert({ firm_id: firmId, sha256, sealed: seal.seal(password), made_at: clock().toISOString() })
        .onConflict(['firm_id', 'sha256'])
        .merge(['sealed', 'made_at']);
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
