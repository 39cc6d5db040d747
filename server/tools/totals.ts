import type { Knex } from 'knex';
import * as clients from '../clients/totals.ts';
import { mendScopeUsage, recountScopeUsage } from '../records/scope-usage.ts';
import * as files from '../records/usage.ts';
import { countVersions, recountVersions } from '../records/versions.ts';
import { mendScopes, recountScopes } from '../visibility/scopes.ts';

/** Running totals that differ from the rows that they count; empty when all is well. */
export async function findTotalsFaults(db: Knex): Promise<string[]> {
  const ofFiles = (await files.recount(db)).map(
    (of) =>
      `the totals of firm ${of.firm_id} for ${of.file_type}: off by ${-of.files} files, ${-of.bytes} bytes`,
  );
  const ofTrash = (await files.recountTrash(db)).map(
    (of) =>
      `the totals of Trash of firm ${of.firm_id}: off by ${-of.items} items, ${-of.files} files, ${-of.bytes} bytes`,
  );
  const ofVersions = (await recountVersions(db)).map(
    (of) => `the totals of earlier versions of firm ${of.firm_id}: off by ${-of.bytes} bytes`,
  );
  const ofClients = (await clients.recount(db)).map(
    (of) =>
      `the totals of firm ${of.firm_id} for clients (${of.client_type}, ${of.status}): off by ${-of.clients}`,
  );
  const astray = await recountScopes(db);
  const ofScopes =
    astray.length === 0
      ? []
      : [
          `to which client ${astray.length} items belong, first of all item ${astray[0]!.id}: not that of the nearest folder`,
        ];
  const ofEach = await recountScopeUsage(db);
  const ofTheirs =
    ofEach.length === 0
      ? []
      : [
          `the totals of what belongs to each client: wrong for ${ofEach.length}, first of all client ${ofEach[0]!.scope_client_id}`,
        ];
  return [...ofFiles, ...ofTrash, ...ofVersions, ...ofClients, ...ofScopes, ...ofTheirs];
}

/** Corrects the running totals. */
export async function repairTotals(db: Knex): Promise<void> {
  await db.transaction(async (trx) => {
    // Write first: that takes the write lock, so that a running server cannot change rows between count and
    // correction.
    await trx('firm_usage').where('firm_id', null).delete();
    await mendScopes(trx);
    // These change the totals of files too, which come after them.
    await mendScopeUsage(trx);
    for (const { firm_id, ...missing } of await files.recount(trx)) await files.count(trx, firm_id, missing);
    for (const { firm_id, ...missing } of await files.recountTrash(trx))
      await files.countTrash(trx, firm_id, missing);
    for (const { firm_id, bytes } of await recountVersions(trx)) await countVersions(trx, firm_id, bytes);
    for (const { firm_id, ...missing } of await clients.recount(trx))
      await clients.count(trx, firm_id, missing, missing.clients);
  });
}
