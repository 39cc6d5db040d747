import type { Knex } from 'knex';
import { BOUND_TEXTS, bindList, queryRows } from '#server/db/sql.ts';
import type { Recognised } from '#server/recognition/contract.ts';
import type { Answers } from './combine.ts';
import { combine, knownOf, TYPE } from './combine.ts';
import type { AccountHolder, KnownFields } from './contract.ts';
import type { FirmSecrets } from './sealed.ts';

/** Only a statement is always its account holder's own: a cheque or a payslip may name somebody else's account. */
const STATEMENT = 'bank_statement';

/** A partly hidden number such as XXXXXX1234 matches many accounts, and does not count. */
const WHOLE_NUMBER = /^\d{9,18}$/;
const IFSC = /^[A-Z]{4}0[A-Z0-9]{6}$/;

export interface Account {
  number: string;
  /** Of the branch; null if unknown. */
  ifsc: string | null;
}

/** The account of a bank statement; null for other documents, and unless exactly one number is certain. */
export function accountOf({ type, fields }: Pick<KnownFields, 'type' | 'fields'>): Account | null {
  if (type !== STATEMENT) return null;
  const certainValues = (fieldKey: string, pattern: RegExp): string[] => [
    ...new Set(
      fields
        .filter(({ key, sure, value }) => key === fieldKey && sure && pattern.test(value))
        .map(({ value }) => value),
    ),
  ];
  const [number, otherNumber] = certainValues('account_no', WHOLE_NUMBER);
  const [ifsc, otherIfsc] = certainValues('ifsc', IFSC);
  if (number === undefined || otherNumber !== undefined) return null;
  return { number, ifsc: otherIfsc === undefined ? (ifsc ?? null) : null };
}

interface AccountHashes {
  account_hash: string;
  ifsc_hash: string;
}

function hashesOf(account: Account | null, { hash }: FirmSecrets): AccountHashes {
  if (account === null) return { account_hash: '', ifsc_hash: '' };
  // Banks print the same number with and without leading zeros.
  const number = account.number.replace(/^0+/, '');
  return {
    account_hash: hash('account', number),
    ifsc_hash: account.ifsc === null ? '' : hash('ifsc', account.ifsc),
  };
}

/** The hashes of the account that was recognised. */
export const recognisedAccount = (recognised: Recognised, secrets: FirmSecrets): AccountHashes =>
  hashesOf(accountOf(knownOf(combine(recognised, {}))), secrets);

/** The hashes of the account after users' answers; nulls when no answer affects it. */
export function answeredAccount(
  recognised: Recognised | null,
  answers: Answers,
  secrets: FirmSecrets,
): AccountHashes | { account_hash: null; ifsc_hash: null } {
  const isAffected = Object.entries(answers).some(
    ([id, { key }]) => id === TYPE || key === 'account_no' || key === 'ifsc',
  );
  return isAffected
    ? hashesOf(accountOf(knownOf(combine(recognised, answers))), secrets)
    : { account_hash: null, ifsc_hash: null };
}

/** Contents hashed per transaction. */
const HASH_BATCH = 200;

/** Hashes the accounts of statements that were recognised before accounts were hashed. @returns how many. */
export async function hashOldAccounts(db: Knex, firmId: number, secrets: FirmSecrets): Promise<number> {
  const rows = await queryRows<{ text_id: number; sha256: string; sealed: Buffer }>(
    db,
    `SELECT text_id, sha256, sealed FROM document_fields
     WHERE firm_id = ? AND type_hash = ? AND account_hash IS NULL ORDER BY text_id DESC LIMIT ?`,
    [firmId, secrets.hash('type', STATEMENT), HASH_BATCH],
  );
  if (rows.length === 0) return 0;
  await db.transaction(async (trx) => {
    for (const { text_id, sha256, sealed } of rows) {
      const recognised = secrets.unpack<Recognised>(sealed);
      await trx('document_fields')
        .where({ text_id })
        .whereNull('account_hash')
        .update(recognisedAccount(recognised, secrets));
      const answerRows: { id: number; sealed: Buffer }[] = await trx('field_answers')
        .where({ firm_id: firmId, sha256 })
        .select('id', 'sealed');
      for (const answers of answerRows)
        await trx('field_answers')
          .where({ id: answers.id })
          .update(answeredAccount(recognised, secrets.unpack<Answers>(answers.sealed), secrets));
    }
  });
  return rows.length;
}

/** The files of one client with one account. */
interface AccountUse extends AccountHashes {
  client: number;
  /** The lowest and the highest item id; the same for a single file. */
  first: number;
  last: number;
}

const NOT_ANSWERED = `NOT EXISTS (SELECT 1 FROM field_answers a
  WHERE a.item_id = i.id AND a.sha256 = i.sha256 AND a.account_hash IS NOT NULL)`;

/** The clients with files of these accounts, whether or not the actor sees those clients. */
const usesOf = (
  db: Knex,
  firmId: number,
  hashes: readonly string[],
  filedCondition: string,
): Promise<AccountUse[]> =>
  queryRows(
    db,
    `SELECT account_hash, ifsc_hash, client, min(id) AS first, max(id) AS last FROM (
       SELECT f.account_hash, f.ifsc_hash, i.scope_client_id AS client, i.id
         FROM document_fields f CROSS JOIN items i
         WHERE f.firm_id = ? AND f.account_hash IN (${BOUND_TEXTS}) AND f.account_hash <> ''
           AND i.firm_id = f.firm_id AND i.sha256 = f.sha256
           AND i.scope_client_id <> 0 AND ${NOT_ANSWERED} AND ${filedCondition}
       UNION ALL SELECT a.account_hash, a.ifsc_hash, i.scope_client_id, i.id
         FROM field_answers a CROSS JOIN items i
         WHERE a.firm_id = ? AND a.account_hash IN (${BOUND_TEXTS}) AND a.account_hash <> ''
           AND i.id = a.item_id AND i.sha256 = a.sha256
           AND i.scope_client_id <> 0 AND ${filedCondition}) AS seen
     GROUP BY account_hash, ifsc_hash, client`,
    [firmId, bindList(hashes), firmId, bindList(hashes)],
  );

/**
 * Finds the client of each statement by other statements of the same account that are filed with a client. An account
 * found with two clients decides nothing, and a file is no evidence for itself.
 * @param filedCondition an SQL condition on items `i`: only files that meet it count as filed with their client.
 */
export async function holdersOf(
  db: Knex,
  firmId: number,
  secrets: FirmSecrets,
  { known, filedCondition }: { known: ReadonlyMap<number, KnownFields>; filedCondition: string },
): Promise<Map<number, AccountHolder>> {
  const statements = [...known].flatMap(([id, fields]) => {
    const account = accountOf(fields);
    return account ? [{ id, number: account.number, ...hashesOf(account, secrets) }] : [];
  });
  const holders = new Map<number, AccountHolder>();
  if (statements.length === 0) return holders;
  const hashes = [...new Set(statements.map(({ account_hash }) => account_hash))];
  const uses = await usesOf(db, firmId, hashes, filedCondition);
  const byAccount = Map.groupBy(uses, ({ account_hash }) => account_hash);
  for (const { id, number, account_hash, ifsc_hash } of statements) {
    const otherUses = (byAccount.get(account_hash) ?? []).filter(
      (use) =>
        !(use.first === id && use.last === id) &&
        (ifsc_hash === '' || use.ifsc_hash === '' || use.ifsc_hash === ifsc_hash),
    );
    const [client, otherClient] = new Set(otherUses.map((use) => use.client));
    if (client !== undefined && otherClient === undefined) holders.set(id, { client, number });
  }
  return holders;
}
