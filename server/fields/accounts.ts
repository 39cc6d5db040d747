import type { Knex } from 'knex';
import { EACH_TEXT, list, queryRows } from '#server/db/sql.ts';
import type { Recognised } from '#server/recognition/contract.ts';
import type { Answers } from './combine.ts';
import { combine, knownOf, TYPE } from './combine.ts';
import type { AccountHolder, KnownFields } from './contract.ts';
import type { FirmSecrets } from './sealed.ts';

/** The one type that is always its holder's own: a cheque or a payslip may name the account of somebody else. */
const STATEMENT = 'bank_statement';

/** A number that is hidden in part, such as XXXXXX1234, fits many accounts. */
const WHOLE_NUMBER = /^\d{9,18}$/;
const IFSC = /^[A-Z]{4}0[A-Z0-9]{6}$/;

export interface Account {
  number: string;
  /** Of the branch; null where it is not known. */
  ifsc: string | null;
}

/** The account that a statement is of; null for other documents, and where no number or more than one is known for sure. */
export function accountOf({ type, fields }: Pick<KnownFields, 'type' | 'fields'>): Account | null {
  if (type !== STATEMENT) return null;
  const known = (wanted: string, form: RegExp): string[] => [
    ...new Set(
      fields
        .filter(({ key, sure, value }) => key === wanted && sure && form.test(value))
        .map(({ value }) => value),
    ),
  ];
  const [number, other] = known('account_no', WHOLE_NUMBER);
  const [ifsc, branch] = known('ifsc', IFSC);
  if (number === undefined || other !== undefined) return null;
  return { number, ifsc: branch === undefined ? (ifsc ?? null) : null };
}

interface AccountHashes {
  account_hash: string;
  ifsc_hash: string;
}

function hashesOf(account: Account | null, { hash }: FirmSecrets): AccountHashes {
  if (account === null) return { account_hash: '', ifsc_hash: '' };
  // Banks print the same number with zeros before it and without.
  const number = account.number.replace(/^0+/, '');
  return {
    account_hash: hash('account', number),
    ifsc_hash: account.ifsc === null ? '' : hash('ifsc', account.ifsc),
  };
}

/** Of what was recognised. */
export const accountRead = (recognised: Recognised, secrets: FirmSecrets): AccountHashes =>
  hashesOf(accountOf(knownOf(combine(recognised, {}))), secrets);

/** Of what people said together with what was recognised; nulls when they said nothing that bears on it. */
export function accountSaid(
  recognised: Recognised | null,
  answers: Answers,
  secrets: FirmSecrets,
): AccountHashes | { account_hash: null; ifsc_hash: null } {
  const bears = Object.entries(answers).some(
    ([id, { key }]) => id === TYPE || key === 'account_no' || key === 'ifsc',
  );
  return bears
    ? hashesOf(accountOf(knownOf(combine(recognised, answers))), secrets)
    : { account_hash: null, ifsc_hash: null };
}

/** Contents whose hashes are worked out at once. */
const OLD_AT_ONCE = 200;

/** Works out the hashes of some statements that were recognised before there were any. @returns how many. */
export async function hashOldAccounts(db: Knex, firmId: number, secrets: FirmSecrets): Promise<number> {
  const rows = await queryRows<{ text_id: number; sha256: string; sealed: Buffer }>(
    db,
    `SELECT text_id, sha256, sealed FROM document_fields
     WHERE firm_id = ? AND type_hash = ? AND account_hash IS NULL ORDER BY text_id DESC LIMIT ?`,
    [firmId, secrets.hash('type', STATEMENT), OLD_AT_ONCE],
  );
  if (rows.length === 0) return 0;
  await db.transaction(async (trx) => {
    for (const { text_id, sha256, sealed } of rows) {
      const recognised = secrets.unpack<Recognised>(sealed);
      await trx('document_fields')
        .where({ text_id })
        .whereNull('account_hash')
        .update(accountRead(recognised, secrets));
      const said: { id: number; sealed: Buffer }[] = await trx('field_answers')
        .where({ firm_id: firmId, sha256 })
        .select('id', 'sealed');
      for (const answers of said)
        await trx('field_answers')
          .where({ id: answers.id })
          .update(accountSaid(recognised, secrets.unpack<Answers>(answers.sealed), secrets));
    }
  });
  return rows.length;
}

/** Files of one client with one account. */
interface Seen extends AccountHashes {
  client: number;
  first: number;
  last: number;
}

const NOT_SAID = `NOT EXISTS (SELECT 1 FROM field_answers a
  WHERE a.item_id = i.id AND a.sha256 = i.sha256 AND a.account_hash IS NOT NULL)`;

/** With which clients of the firm these accounts were seen, whoever sees those clients. */
const seenWith = (db: Knex, firmId: number, hashes: readonly string[], counts: string): Promise<Seen[]> =>
  queryRows(
    db,
    `SELECT account_hash, ifsc_hash, client, min(id) AS first, max(id) AS last FROM (
       SELECT f.account_hash, f.ifsc_hash, i.scope_client_id AS client, i.id
         FROM document_fields f CROSS JOIN items i
         WHERE f.firm_id = ? AND f.account_hash IN (${EACH_TEXT}) AND f.account_hash <> ''
           AND i.firm_id = f.firm_id AND i.sha256 = f.sha256
           AND i.scope_client_id <> 0 AND ${NOT_SAID} AND ${counts}
       UNION ALL SELECT a.account_hash, a.ifsc_hash, i.scope_client_id, i.id
         FROM field_answers a CROSS JOIN items i
         WHERE a.firm_id = ? AND a.account_hash IN (${EACH_TEXT}) AND a.account_hash <> ''
           AND i.id = a.item_id AND i.sha256 = a.sha256
           AND i.scope_client_id <> 0 AND ${counts}) AS seen
     GROUP BY account_hash, ifsc_hash, client`,
    [firmId, list(hashes), firmId, list(hashes)],
  );

/**
 * Whose statements are, by the other statements of the same account that are filed with a client. An account that was
 * seen with two clients says nothing, and so does a file about itself.
 * @param counts a condition on the files `i` that are taken for filed.
 */
export async function holdersOf(
  db: Knex,
  firmId: number,
  secrets: FirmSecrets,
  { known, counts }: { known: ReadonlyMap<number, KnownFields>; counts: string },
): Promise<Map<number, AccountHolder>> {
  const asked = [...known].flatMap(([id, one]) => {
    const account = accountOf(one);
    return account ? [{ id, number: account.number, ...hashesOf(account, secrets) }] : [];
  });
  const found = new Map<number, AccountHolder>();
  if (asked.length === 0) return found;
  const hashes = [...new Set(asked.map(({ account_hash }) => account_hash))];
  const byAccount = Map.groupBy(
    await seenWith(db, firmId, hashes, counts),
    ({ account_hash }) => account_hash,
  );
  for (const { id, number, account_hash, ifsc_hash } of asked) {
    const others = (byAccount.get(account_hash) ?? []).filter(
      (seen) =>
        !(seen.first === id && seen.last === id) &&
        (ifsc_hash === '' || seen.ifsc_hash === '' || seen.ifsc_hash === ifsc_hash),
    );
    const [client, second] = new Set(others.map((seen) => seen.client));
    if (client !== undefined && second === undefined) found.set(id, { client, number });
  }
  return found;
}
