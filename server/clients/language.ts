import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Language } from '#server/text/language.ts';
import type { Clock } from '../clock.ts';
import { Client } from './model.ts';

/** Keeps the language in which the actor has just written to a client, for all who write to the client next. */
export const keepLanguage =
  ({ audit, clock }: { audit: Pick<Audit, 'record'>; clock: Clock }) =>
  async (trx: Knex.Transaction, actor: Actor, id: number, language: Language): Promise<void> => {
    const client = await Client.query(trx).findById(id).throwIfNotFound();
    if (client.language === language) return;
    const row = { language, version: client.version + 1, updated_at: clock().toISOString() };
    await Client.query(trx).findById(id).patch(row);
    await audit.record(trx, {
      actor,
      did: 'client.update',
      subject: `client:${id}`,
      detail: { name: client.name, changed: ['language'] },
    });
  };
