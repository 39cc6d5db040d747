import { createHash, randomInt } from 'node:crypto';
import type { Knex } from 'knex';

const COUNT = 10;
/** Without what is mistaken for something else when read from paper. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 6;
/** Of codes that were made before. */
const GROUPS_ONCE = 4;

const group = () => Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
const newCode = () => Array.from({ length: GROUPS }, group).join('-');
const bare = (code: string) => code.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Of nearly 120 random bits: a plain hash of them cannot be turned back. */
const hashOf = (userId: number, code: string) =>
  createHash('sha256')
    .update(`recovery ${userId} ${bare(code)}`)
    .digest('base64url');

export const looksLikeRecoveryCode = (text: string): boolean =>
  [GROUPS, GROUPS_ONCE].includes(bare(text).length / 4);

/** Ten new codes such as `k3mp-9xqa-…` in place of the old; only their hashes are kept. */
export async function replaceRecoveryCodes(trx: Knex.Transaction, userId: number): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, newCode);
  await trx('recovery_codes').where({ user_id: userId }).delete();
  await trx('recovery_codes').insert(
    codes.map((code) => ({ user_id: userId, code_hash: hashOf(userId, code), used_at: null })),
  );
  return codes;
}

/** Spends a code; false for one that is not the user's or was spent before. */
export async function spendRecoveryCode(
  trx: Knex.Transaction,
  userId: number,
  code: string,
  now: Date,
): Promise<boolean> {
  const spent = await trx('recovery_codes')
    .where({ user_id: userId, code_hash: hashOf(userId, code), used_at: null })
    .update({ used_at: now.toISOString() });
  return spent === 1;
}

export async function recoveryCodesLeft(db: Knex, userId: number): Promise<number> {
  const row = await db('recovery_codes').where({ user_id: userId, used_at: null }).count({ n: '*' }).first();
  return Number(row?.n ?? 0);
}
