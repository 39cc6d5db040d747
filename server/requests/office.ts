import type { Actor } from '#server/actor.ts';
import { conflict, forbidden, invalid, notFound } from '#server/http/errors.ts';
import { dayInIndia } from '#server/text/day-in-india.ts';
import type { Language } from '#server/text/language.ts';
import { longDay } from '#server/text/language.ts';
import { isVisibleClient, only } from '#server/visibility/visible.ts';
import type { DerivedTokens } from '#server/links/derived-tokens.ts';
import { clearDone, updateCompletion } from './changes.ts';
import type {
  ChangeRequest,
  CreatedRequests,
  MakeRequests,
  RequestLink,
  RequestView,
  RequestsQuery,
} from './contract.ts';
import { askedEmail } from './emails.ts';
import type { RequestFacts } from './doors.ts';
import { factsOf } from './doors.ts';
import type { RequestRecord, RowRecord } from './model.ts';
import { doorOf } from './model.ts';
import { EMAIL_LIMIT, auditFields, requestOf, requireNotClosed, viewOf } from './of-office.ts';
import type { RequestsDependencies } from './dependencies.ts';
import { requireAsk } from './policy.ts';
import type { Reminders } from './reminders.ts';
import type { Returns } from './returns.ts';
import { textsIn } from './email-texts/index.ts';
import { listRequests } from './views.ts';

const SHARING_OFF =
  'Sharing by links is switched off for your firm, and so are requests. Ask an admin to switch it on in Settings.';
const NO_EMAIL = 'E-mail is not set up on this server. Send the link over WhatsApp, or copy it';
const NOT_FILED =
  'Some files of this request are not in the drive yet. Close the request for now, and delete it later.';

interface ClientFacts {
  id: number;
  name: string;
  email: string | null;
  phone: string | null;
  language: Language;
}

/** Management of requests by the users of a firm. */
export function createOffice(
  dependencies: RequestsDependencies,
  tokens: DerivedTokens,
  reminders: Reminders,
  returns: Pick<Returns, 'postpone'>,
) {
  const { db, clock, audit, mail, collecting } = dependencies;
  const now = () => clock().toISOString();
  const view = (actor: Actor, id: number): Promise<RequestView> => viewOf(dependencies, actor, id);
  const urlOf = (token: string): string => `${dependencies.baseUrl}/r/${token}`;

  async function requireSharing(actor: Actor): Promise<void> {
    requireAsk(actor);
    if (!(await dependencies.sharingOn(db, actor.firmId))) throw forbidden(SHARING_OFF);
  }
  function requireDueInFuture(due_on: string | null, before: string | null = null): void {
    if (due_on !== null && due_on !== before && due_on < dayInIndia(clock()))
      throw invalid({ due_on: ['This day is over. Choose today or a later day'] });
  }

  const settings = (of: MakeRequests | ChangeRequest) => ({
    title: of.title,
    note: of.note,
    due_on: of.due_on,
    remind_before: of.reminders.before,
    remind_on: of.reminders.on ? 1 : 0,
    remind_after: of.reminders.after,
    updated_at: now(),
  });

  return {
    /** The firm's requests that the actor sees. @throws {AppError} 403. */
    async list(actor: Actor, query: RequestsQuery = {}) {
      requireAsk(actor);
      return listRequests(dependencies, actor, query);
    },
    view,

    /** The languages in which these clients are written to. @throws {AppError} 403. */
    async languages(actor: Actor, ids: readonly number[]): Promise<Language[]> {
      requireAsk(actor);
      return only(db('clients'), isVisibleClient(actor))
        .where({ firm_id: actor.firmId })
        .whereIn('id', ids)
        .distinct()
        .orderBy('language')
        .pluck('language');
    },

    /**
     * Creates the same request for each of these clients, and sends the links.
     * @throws {AppError} 403; 404 for a missing client; 422; 429.
     */
    async make(actor: Actor, request: MakeRequests): Promise<CreatedRequests> {
      await requireSharing(actor);
      requireDueInFuture(request.due_on);
      const ids = [...new Set(request.client_ids)];
      const clients: ClientFacts[] = await only(db('clients'), isVisibleClient(actor))
        .where({ firm_id: actor.firmId })
        .whereIn('id', ids)
        .select('id', 'name', 'email', 'phone', 'language');
      if (clients.length < ids.length) throw notFound('client');
      if (request.send)
        for (const { email } of clients)
          if (email) await dependencies.limits.check({ limit: EMAIL_LIMIT, subject: String(actor.userId) });
      const made: number[] = [];
      for (const client of clients) made.push(await createOne(actor, request, client));
      const without = clients.filter(({ email }) => !email).map(({ name }) => name);
      const all = await listRequests(dependencies, actor, { state: 'all' });
      return { made: all.filter(({ id }) => made.includes(id)), without_email: without };
    },

    /** @throws {AppError} 404, 422. */
    async change(actor: Actor, id: number, request: ChangeRequest): Promise<RequestView> {
      const before = await requestOf(db, actor, id);
      requireDueInFuture(request.due_on, before.due_on);
      await db.transaction(async (trx) => {
        const rows: RowRecord[] = await trx('request_rows').where({ request_id: id });
        const keptIds = new Set(request.rows.map((row) => row.id));
        const files = await collecting.arrivals(trx, doorOf(id));
        for (const row of rows.filter((existing) => !keptIds.has(existing.id))) {
          if (files.some(({ slot }) => slot === row.id))
            throw invalid({
              rows: [
                `For "${row.name}" something has come already. Keep its line as it is, and add other documents on lines of their own`,
              ],
            });
          await trx('request_rows').where({ id: row.id }).delete();
        }
        for (const [position, { id: rowId, name }] of request.rows.entries()) {
          const exists = rows.some((row) => row.id === rowId);
          if (exists) await trx('request_rows').where({ id: rowId }).update({ name, position });
          else
            await trx('request_rows').insert({
              request_id: id,
              name,
              position,
              state: 'wanted',
              updated_at: now(),
            });
        }
        await trx('requests')
          .where({ id })
          .update({ ...settings(request), language: request.language, email: request.email });
        if (request.language !== before.language)
          await dependencies.keepLanguage(trx, actor, before.client_id, request.language);
        if (request.rows.some((row) => !rows.some((current) => current.id === row.id)))
          await clearDone(trx, id);
        await updateCompletion(trx, id, now());
        await audit.record(trx, {
          actor,
          did: 'request.change',
          ...auditFields({ ...before, title: request.title }),
        });
      });
      await collecting.cancelClosed({ door: doorOf(id) });
      return view(actor, id);
    },

    /** The link with a text for sending it by hand. @throws {AppError} 403, 404. */
    async link(actor: Actor, id: number): Promise<RequestLink> {
      await requireSharing(actor);
      const of = await requestOf(db, actor, id);
      requireNotClosed(of);
      const token = await db.transaction(async (trx) => {
        await audit.record(trx, { actor, did: 'request.link', ...auditFields(of) });
        return tokens.current(trx, of);
      });
      const url = urlOf(token);
      const { phone } = (await db('clients').where({ id: of.client_id }).first('phone')) as ClientFacts;
      const due = of.due_on && longDay(of.due_on, of.language);
      return { url, message: textsIn(of.language).message(of.client, of.firm, of.title, due, url), phone };
    },

    /** Gives the request a new address; the old one becomes invalid. @throws {AppError} 403; 404, also for a closed request. */
    async renew(actor: Actor, id: number): Promise<RequestLink> {
      await requireSharing(actor);
      const of = await requestOf(db, actor, id);
      requireNotClosed(of);
      await db.transaction(async (trx) => {
        await trx('requests')
          .where({ id })
          .update({ ...tokens.newToken(), updated_at: now() });
        await audit.record(trx, { actor, did: 'request.renew', ...auditFields(of) });
      });
      await collecting.cancelUploads(doorOf(id));
      return this.link(actor, id);
    },

    /**
     * Sends a reminder now. @throws {AppError} 403; 404, also for a closed request; 422 without e-mail, an address or anything missing.
     */
    async remind(actor: Actor, id: number): Promise<RequestView> {
      await requireSharing(actor);
      const { email } = await requestOf(db, actor, id);
      if (!mail.sends) throw invalid({ email: [NO_EMAIL] });
      if (email === '')
        throw invalid({ email: ['This client has no e-mail address. Copy the link and send it by hand'] });
      await dependencies.limits.check({ limit: EMAIL_LIMIT, subject: String(actor.userId) });
      await db.transaction(async (trx) => {
        const of = await requestOf(trx, actor, id);
        requireNotClosed(of);
        await audit.record(trx, { actor, did: 'request.remind', ...auditFields(of) });
        await clearDone(trx, id);
        // Nothing of a reminder that was not sent is kept.
        if (!(await reminders.remind(trx, of)))
          throw invalid({ email: ['Nothing is missing: there is nothing to remind of'] });
      });
      return view(actor, id);
    },

    /** Closes the request, or reopens it. @throws {AppError} 403, 404. */
    async close(actor: Actor, id: number, closed: boolean): Promise<RequestView> {
      const of = await requestOf(db, actor, id);
      if (closed) await collecting.finish(doorOf(id));
      await db.transaction(async (trx) => {
        await trx('requests')
          .where({ id })
          .update({ closed_at: closed ? now() : null, updated_at: now() });
        if (!closed) {
          await clearDone(trx, id);
          await returns.postpone(trx, id);
        }
        await audit.record(trx, {
          actor,
          did: closed ? 'request.close' : 'request.reopen',
          ...auditFields(of),
        });
      });
      await collecting.cancelClosed({ door: doorOf(id) });
      return view(actor, id);
    },

    /**
     * Deletes the request; received files stay in the drive.
     * @throws {AppError} 403; 404; 409 while files cannot be filed: without their request nobody would know whose they are.
     */
    async remove(actor: Actor, id: number): Promise<void> {
      const of = await requestOf(db, actor, id);
      // File everything that is received but not yet in the drive.
      await collecting.finish(doorOf(id));
      await db.transaction(async (trx) => {
        const files = await collecting.arrivals(trx, doorOf(id));
        if (files.some(({ state }) => state !== 'filed')) throw conflict(NOT_FILED);
        await collecting.forgetJudged(trx, doorOf(id));
        await trx('requests').where({ id }).delete();
        await audit.record(trx, { actor, did: 'request.delete', ...auditFields(of) });
      });
      await collecting.cancelClosed({ door: doorOf(id) });
    },
  };

  async function createOne(actor: Actor, request: MakeRequests, client: ClientFacts): Promise<number> {
    const { rows, send } = request;
    return db.transaction(async (trx) => {
      const time = now();
      const [row] = (await trx('requests')
        .insert({
          ...settings(request),
          language: request.language ?? client.language,
          ...tokens.newToken(),
          firm_id: actor.firmId,
          client_id: client.id,
          made_by: actor.userId,
          email: client.email ?? '',
          created_at: time,
        })
        .returning('*')) as RequestRecord[];
      for (const [position, name] of rows.entries())
        await trx('request_rows').insert({
          request_id: row!.id,
          position,
          name,
          state: 'wanted',
          updated_at: time,
        });
      if (request.language) await dependencies.keepLanguage(trx, actor, client.id, request.language);
      const of: RequestFacts = await factsOf(trx).where('r.id', row!.id).first();
      const { subject, detail } = auditFields(of);
      const sent = send && of.email !== '';
      await audit.record(trx, {
        actor,
        did: 'request.create',
        subject,
        detail: {
          ...detail,
          documents: rows.length,
          until: of.due_on,
          ...(sent && mail.sends && { sent_to: of.email }),
        },
      });
      if (sent) await mail.send(trx, askedEmail(of, { url: urlOf(await tokens.current(trx, of)), rows }));
      return of.id;
    });
  }
}
export type Office = ReturnType<typeof createOffice>;
