import { createHash, randomInt } from 'node:crypto';
import type { Knex } from 'knex';

const CODE_COUNT = 10;
/** Without characters that are easily confused on paper. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 6;
/** The length of codes that earlier versions created. */
const LEGACY_GROUPS = 4;

const group = () => Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
const newCode = () => Array.from({ length: GROUPS }, group).join('-');
const normalise = (code: string) => code.toLowerCase().replace(/[^a-z0-9]/g, '');

/** A plain hash is enough: nearly 120 random bits cannot be guessed. */
const hashOf = (userId: number, code: string) =>
  createHash('sha256')
    .update(`recovery ${userId} ${normalise(code)}`)
    .digest('base64url');

export const looksLikeRecoveryCode = (text: string): boolean =>
  [GROUPS, LEGACY_GROUPS].includes(normalise(text).length / 4);

/** Replaces the codes by ten new ones such as `k3mp-9xqa-…`; only their hashes are stored. */
export async function replaceRecoveryCodes(
  trx: Knex.Transaction,
  userId: number,
  now: Date,
): Promise<string[]> {
  const created_at = now.toISOString();
  const codes = Array.from({ length: CODE_COUNT }, newCode);
  await trx('recovery_codes').where({ user_id: userId }).delete();
  await trx('recovery_codes').insert(
    codes.map((code) => ({ user_id: userId, code_hash: hashOf(userId, code), used_at: null, created_at })),
  );
  return codes;
}

/** Marks a code as used; false for an unknown or a used one. */
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
