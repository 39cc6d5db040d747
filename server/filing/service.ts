import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Clients } from '#server/clients/service.ts';
import type { FolderTree, ItemView } from '#server/documents/contract.ts';
import type { Versions } from '#server/documents/versions/service.ts';
import type { Documents } from '#server/documents/service.ts';
import type { Fields } from '#server/fields/service.ts';
import { AppError, conflict, forbidden, invalid, notFound } from '#server/http/errors.ts';
import type { Reading } from '#server/reading/service.ts';
import type { Clock } from '../clock.ts';
import type {
  FileDocuments,
  FilingQuery,
  FilingResult,
  FilingRun,
  InboxView,
  SetInbox,
  Suggestion,
  Suggestions,
} from './contract.ts';
import { PATTERN, SUGGESTED_MAX, isUnknown } from './contract.ts';
import { automaticInboxes, inboxOf, inboxesOf, saveInbox } from './inboxes.ts';
import { mayFile } from './policy.ts';
import { filedIn, foldersMadeIn, recordFiled, recordUndone, runOf, runsOf, undoneItems } from './runs.ts';
import type { SuggestDependencies } from './suggest-where-to-file.ts';
import { createSuggesting } from './suggest-where-to-file.ts';
import { FILED_BY_USER } from './filed-by-people.ts';

interface FilingDependencies extends SuggestDependencies {
  db: Knex;
  clock: Clock;
  audit: Pick<Audit, 'record' | 'recordAlone'>;
  clients: SuggestDependencies['clients'] & Pick<Clients, 'named'>;
  documents: SuggestDependencies['documents'] &
    Pick<Documents, 'file' | 'item' | 'mergeFolders' | 'removeEmptyFolders' | 'views' | 'owners'>;
  fields: Pick<Fields, 'knownFields' | 'unfiled' | 'holders'>;
  texts: Pick<Reading, 'unread'>;
  versions: Pick<Versions, 'uploaders'>;
  /** Null if there is no such user any more. */
  actorOf: (userId: number) => Promise<Actor | null>;
}

/** Runs listed. */
const RUNS = 10;
const NO_FOLDER_THERE =
  'This folder cannot be made: a file has the name of one of its folders, or it would lie in a sealed one.';
const UNDONE = 'This was undone already.';

/** A tree with one folder per level. */
const nested = ([name, ...below]: readonly string[]): FolderTree[] =>
  name === undefined ? [] : [{ name, folders: nested(below) }];

/** Documents with known values that are examined per request. */
const EXAMINED_MAX = 600;

/** Files documents by what was recognised in them. */
export function createFiling(dependencies: FilingDependencies) {
  const { db, clock, audit, clients, documents, fields, texts, actorOf } = dependencies;
  const suggest = createSuggesting(dependencies);

  const requireMayFile = (actor: Actor): void => {
    if (!mayFile(actor)) throw forbidden();
  };
  const patternOf = async ({ firmId }: Actor): Promise<string> =>
    (await db('filing_settings').where({ firm_id: firmId }).first('pattern'))?.pattern ?? PATTERN;

  const isOpen = ({ type, seal }: ItemView): boolean => type === 'file' && !seal;

  const certainThenNewest = (a: Suggestion, b: Suggestion): number =>
    Number(b.sure) - Number(a.sure) || b.item.id - a.item.id;

  /** Whether a document is already where it would go. */
  const isFiled = ({ item, folder_id, name, client }: Suggestion): boolean =>
    client !== null && item.client_id === client.id && item.parent_id === folder_id && item.name === name;

  const knownIn = (actor: Actor, files: readonly ItemView[]) =>
    fields.knownFields(
      actor,
      files.map(({ id }) => id),
    );

  async function suggestFor(
    actor: Actor,
    what: Omit<Parameters<typeof suggest>[1], 'holders'>,
  ): Promise<Suggestion[]> {
    return suggest(actor, { ...what, holders: await fields.holders(actor, what.known, FILED_BY_USER) });
  }

  /**
   * The certain suggestions for the files of an inbox, each as whoever uploaded it would get it: the place that it goes to
   * must not tell them of clients that they do not see, nor may they put anything there. For a file from outside that is
   * the user who made the link.
   */
  async function certainIn(actor: Actor, folderId: number): Promise<Suggestion[]> {
    const { known: recognised } = await fields.unfiled(actor, { withoutClient: false, folders: [folderId] });
    const files = (await documents.views(actor, recognised.slice(0, EXAMINED_MAX))).filter(isOpen);
    if (files.length === 0) return [];
    const uploaders = await dependencies.versions.uploaders(files.map(({ id }) => id));
    const pattern = await patternOf(actor);
    const certain: Suggestion[] = [];
    for (const [id, theirs] of Map.groupBy(files, (file) => uploaders.get(file.id)!)) {
      const uploader = id === actor.userId ? actor : await actorOf(id);
      if (!uploader || !mayFile(uploader)) continue;
      const seen = await documents.views(
        uploader,
        theirs.map((file) => file.id),
      );
      const known = await knownIn(uploader, seen);
      const items = seen.filter((file) => known.has(file.id));
      const suggested = await suggestFor(uploader, { items, known, pattern, chosen: undefined });
      certain.push(...suggested.filter((suggestion) => suggestion.sure && !isFiled(suggestion)));
    }
    return certain;
  }

  async function suggestions(actor: Actor, query: FilingQuery): Promise<Suggestions> {
    requireMayFile(actor);
    const { ids, folder, client } = query;
    const [chosen] = client === undefined ? [] : await clients.named(actor, [client]);
    if (client !== undefined && !chosen) throw notFound('client');
    if (folder !== undefined) await documents.item(actor, folder);
    const folders =
      folder === undefined ? (await inboxesOf(db, actor)).map(({ folder_id }) => folder_id) : [folder];
    const unfiled = ids
      ? { known: [], unknown: [] }
      : await fields.unfiled(actor, { withoutClient: folder === undefined, folders });
    // Certain documents come before newer uncertain ones, so that all of a long list can be filed together.
    const examined = ids ?? unfiled.known.slice(0, EXAMINED_MAX);
    const open = (await documents.views(actor, examined)).filter(isOpen);
    const items = ids ? open.slice(0, SUGGESTED_MAX) : open;
    const known = await knownIn(actor, items);
    const pattern = await patternOf(actor);
    const suggested = await suggestFor(actor, { items, known, pattern, chosen });
    const all = (ids ? suggested : suggested.filter((suggestion) => !isFiled(suggestion))).toSorted(
      certainThenNewest,
    );
    const unread = ids ? open.filter(({ id }) => !known.has(id)).map(({ id }) => id) : unfiled.unknown;
    const atLeast = open.length > items.length || unfiled.known.length > EXAMINED_MAX;
    return {
      suggestions: all.slice(0, SUGGESTED_MAX),
      total: all.filter((suggestion) => !isUnknown(suggestion)).length,
      at_least: atLeast,
      more: atLeast || all.length > SUGGESTED_MAX,
      pattern,
      waiting: unfiled.unknown.length,
      reading: await texts.unread(actor, unread),
    };
  }

  async function fileAll(
    actor: Actor,
    { files }: FileDocuments,
    { byItself }: { byItself: boolean },
  ): Promise<FilingResult> {
    requireMayFile(actor);
    const result: FilingResult = { run: null, filed: [], failed: [] };
    const clientNames = await clients.named(actor, [...new Set(files.map(({ client_id }) => client_id))]);
    const byId = new Map(clientNames.map((client) => [client.id, client]));
    /** Made for documents that are not recorded yet. */
    let folders: number[] = [];
    for (const { id, client_id, folder, name, seen } of files) {
      try {
        const client = byId.get(client_id);
        if (!client) throw notFound('client');
        const { last, made, taken } = await documents.mergeFolders(
          actor,
          client,
          nested(folder),
          async (trx, merged) => {
            if (merged.created === 0) return;
            await audit.record(trx, {
              actor,
              did: 'document.folder',
              subject: `client:${client.id}`,
              detail: { name: [client.name, ...folder].join(' / ') },
            });
          },
        );
        folders = [...folders, ...made];
        if (taken > 0 || last === null) throw invalid({ folder: [NO_FOLDER_THERE] });
        const to = { parent_id: last, name, client_id };
        const { run } = result;
        const done = await documents.file(actor, { id, to, seen }, async (trx, filed) => {
          const at = clock().toISOString();
          return { ...filed.to, run: await recordFiled(trx, actor, { run, filed, folders, at, byItself }) };
        });
        folders = [];
        result.run = done.run;
        result.filed.push({ id, name: done.name, folder_id: done.parent_id });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        result.failed.push({ id, name: seen.name, message: error.message });
      }
    }
    // An audit entry per client: a user who sees only one of them sees only that client's documents.
    const clientOf = new Map(files.map(({ id, client_id }) => [id, client_id]));
    for (const [client, filed] of Map.groupBy(result.filed, ({ id }) => clientOf.get(id) ?? null))
      await audit.recordAlone({
        actor,
        did: byItself ? 'filing.by_itself' : 'filing.file',
        detail: { files: filed.length, names: filed.slice(0, 20).map(({ name }) => name) },
        concerns: { items: filed.map(({ id }) => id), clients: [client] },
      });
    return result;
  }

  return {
    /**
     * Suggestions for these documents, those of a folder, or all without a client or in an inbox.
     * @throws {AppError} 403; 404 for a missing folder or client.
     */
    suggestions,

    /** Files documents one by one: those that cannot be filed stay as they are. @throws {AppError} 403. */
    file: (actor: Actor, request: FileDocuments): Promise<FilingResult> =>
      fileAll(actor, request, { byItself: false }),

    /**
     * Undoes a run: folder, name and client of documents that nobody has changed since. What fails can be undone later.
     * @throws {AppError} 403; 404 for a run that is not the actor's; 409 when it was undone already.
     */
    async undo(actor: Actor, id: number): Promise<FilingResult> {
      requireMayFile(actor);
      const run = await runOf(db, actor, id);
      if (!run) throw notFound('run');
      if (run.undone_at !== null) throw conflict(UNDONE, 'undone');
      const result: FilingResult = { run: id, filed: [], failed: [] };
      for (const { id: item, from, to } of await filedIn(db, id)) {
        try {
          const restored = await documents.file(
            actor,
            { id: item, to: from, seen: to },
            async (_, filed) => filed,
          );
          result.filed.push({ id: item, name: restored.to.name, folder_id: restored.to.parent_id });
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          result.failed.push({ id: item, name: to.name, message: error.message });
        }
      }
      const { filed, failed } = result;
      if (filed.length === 0 && failed.length > 0) return result;
      await db.transaction(async (trx) => {
        const restored = filed.map((file) => file.id);
        await recordUndone(trx, run, { restored, isAll: failed.length === 0, at: clock().toISOString() });
        await audit.record(trx, { actor, did: 'filing.undo', detail: { files: filed.length } });
        await documents.removeEmptyFolders(trx, actor, await foldersMadeIn(trx, id));
      });
      return result;
    },

    /** The actor's latest runs, including automatic ones. @throws {AppError} 403. */
    async runs(actor: Actor): Promise<FilingRun[]> {
      requireMayFile(actor);
      const runs = await runsOf(db, actor, RUNS);
      const seen = await documents.views(
        actor,
        runs.flatMap(({ first }) => first ?? []),
      );
      const names = new Map(seen.map(({ id, name }) => [id, name]));
      return runs.map(({ first, ...run }) => ({ ...run, name: names.get(first ?? 0) ?? null }));
    },

    /** @throws {AppError} 403 unless the actor is an admin who may file. */
    async setPattern(actor: Actor, pattern: string): Promise<{ pattern: string }> {
      requireMayFile(actor);
      if (actor.role !== 'admin') throw forbidden();
      await db.transaction(async (trx) => {
        await trx('filing_settings').insert({ firm_id: actor.firmId, pattern }).onConflict('firm_id').merge();
        await audit.record(trx, { actor, did: 'filing.pattern', detail: { pattern } });
      });
      return { pattern };
    },

    /** The inboxes that the actor sees. @throws {AppError} 403. */
    async inboxes(actor: Actor): Promise<InboxView[]> {
      requireMayFile(actor);
      const rows = await inboxesOf(db, actor);
      const folders = await documents.views(
        actor,
        rows.map(({ folder_id }) => folder_id),
      );
      const userNames = new Map((await documents.owners(actor)).map(({ value, label }) => [value, label]));
      return folders.map(({ id, name }) => {
        const { by_itself, set_by, set_at } = rows.find(({ folder_id }) => folder_id === id)!;
        return {
          folder_id: id,
          name,
          by_itself: Boolean(by_itself),
          set_by: userNames.get(set_by) ?? '',
          set_at,
        };
      });
    },

    /** Makes a folder an inbox or an ordinary one. @throws {AppError} 404, 403; 422 for a file or a sealed folder. */
    async setInbox(actor: Actor, folderId: number, { inbox, by_itself }: SetInbox): Promise<InboxView[]> {
      const { name, type, seal } = await documents.item(actor, folderId);
      requireMayFile(actor);
      if (type !== 'folder') throw invalid({ folder: ['Only a folder can be an inbox.'] });
      if (seal && inbox) throw invalid({ folder: ['This folder is sealed: nothing in it is moved.'] });
      const { firmId, userId } = actor;
      const row = {
        folder_id: folderId,
        firm_id: firmId,
        by_itself,
        set_by: userId,
        set_at: clock().toISOString(),
      };
      await db.transaction(async (trx) => {
        const current = await inboxOf(trx, folderId);
        if ((current === undefined) === !inbox && Boolean(current?.by_itself) === (inbox && by_itself))
          return;
        await saveInbox(trx, row, inbox);
        const detail = { name, inbox, by_itself: inbox && by_itself };
        await audit.record(trx, { actor, did: 'filing.inbox', subject: `item:${folderId}`, detail });
      });
      return this.inboxes(actor);
    },

    /** Whether there is an inbox with automatic filing. */
    due: async (): Promise<boolean> => (await automaticInboxes(db)).length > 0,

    /**
     * Files certain documents of those inboxes, with the rights of the user who set the inbox up, to where the uploader
     * too sees them. @returns how many.
     */
    async work(signal: AbortSignal): Promise<number> {
      let filed = 0;
      for (const { folder_id, set_by } of await automaticInboxes(db)) {
        if (signal.aborted) return filed;
        const actor = await actorOf(set_by);
        if (!actor || !mayFile(actor)) continue;
        const all = await certainIn(actor, folder_id);
        const undone = await undoneItems(
          db,
          all.map(({ item }) => item.id),
        );
        const files = all
          .filter(({ item }) => !undone.has(item.id))
          .map(({ item, client, folder, name }) => ({
            id: item.id,
            client_id: client!.id,
            folder,
            name,
            seen: { name: item.name, parent_id: item.parent_id },
          }));
        if (files.length > 0) filed += (await fileAll(actor, { files }, { byItself: true })).filed.length;
      }
      return filed;
    },
  };
}
export type FilingService = ReturnType<typeof createFiling>;
