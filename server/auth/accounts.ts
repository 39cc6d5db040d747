import type { Knex } from 'knex';
import { UniqueViolationError } from 'objection';
import type { FieldErrors } from '#server/http/errors.ts';
import { invalid } from '#server/http/errors.ts';
import type { Registration, UserView } from './contract.ts';
import { Firm, User } from './model.ts';

const TAKEN: FieldErrors = { email: ['This email is already registered. Sign in, or use another one.'] };

export const emailTaken = () => invalid(TAKEN);

/**
 * Turns the unique violation of two concurrent requests into the error that the later of two consecutive requests
 * gets.
 */
export function rethrowEmailTaken(error: unknown): never {
  if (error instanceof UniqueViolationError && error.columns.includes('email')) throw emailTaken();
  throw error;
}

export async function isTaken(db: Knex, email: string): Promise<boolean> {
  return (await User.query(db).findOne({ email }).select('id')) !== undefined;
}

/** Inserts a firm and its first user, an admin. */
export async function addFirm(
  trx: Knex.Transaction,
  input: Registration,
  passwordHash: string,
  now: string,
): Promise<User> {
  const firm = await Firm.query(trx).insert({ name: input.firm_name, created_at: now });
  return User.query(trx)
    .insert({
      firm_id: firm.id,
      name: input.name,
      email: input.email,
      phone: input.phone,
      ca_license_number: input.ca_license_number,
      role: 'admin',
      permissions: '[]',
      permissions_taken: '[]',
      password_hash: passwordHash,
      deactivated_at: null,
      created_at: now,
      updated_at: now,
    })
    .catch(rethrowEmailTaken);
}

export async function viewOf(
  db: Knex,
  userId: number,
  { seated = true, owesTwoStep = false } = {},
): Promise<UserView> {
  const user = await User.query(db)
    .join('firms', 'firms.id', 'users.firm_id')
    .select('users.*', 'firms.name as firm_name')
    .findById(userId)
    .throwIfNotFound();
  return user.toView({ seated, owesTwoStep });
}

/** Reads users and firms for other rooms, without an actor. */
export const registry = {
  /** The recipient of an e-mail to this user. */
  async addressee(db: Knex, userId: number): Promise<{ name: string; email: string; firmId: number }> {
    const { name, email, firm_id } = await User.query(db).findById(userId).throwIfNotFound();
    return { name, email, firmId: firm_id };
  },
  /** The recipient of an e-mail about what this user bought: once they have left, the admin who has been there longest. */
  async billingAddressee(db: Knex, userId: number): Promise<{ name: string; email: string; firmId: number }> {
    const buyer = await User.query(db).findById(userId).throwIfNotFound();
    const admin =
      buyer.deactivated_at === null
        ? buyer
        : await User.query(db)
            .where({ firm_id: buyer.firm_id, role: 'admin', deactivated_at: null })
            .orderBy('id')
            .first()
            .throwIfNotFound();
    return { name: admin.name, email: admin.email, firmId: admin.firm_id };
  },
  firmName: async (db: Knex, firmId: number): Promise<string> =>
    (await Firm.query(db).findById(firmId).throwIfNotFound()).name,
  /** The firm of the user with this e-mail address, compared case-insensitively. */
  firmOf: async (db: Knex, email: string): Promise<number | undefined> =>
    (await User.query(db).findOne({ email: email.trim().toLowerCase() }))?.firm_id,
};
