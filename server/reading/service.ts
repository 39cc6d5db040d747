import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Sealer } from '#server/db/column-encryption.ts';
import type { Documents, OpenedFile } from '#server/documents/service.ts';
import { AppError, forbidden } from '#server/http/errors.ts';
import { requireDownload } from '#server/links/links.ts';
import type { SandboxLimits } from '#server/sandbox/sandbox.ts';
import { isReadable } from '#server/visibility/readable.ts';
import type { BlobStore } from '#storage/blobs.ts';
import type { ReadingProgress, ScanWords, TextHits, TextState, TextStateView, TextView } from './contract.ts';
import { PICTURE_TYPES, READ_TYPES } from './contract.ts';
import type { Within } from './text-search.ts';
import { createTextSearch } from './text-search.ts';
import { createTextKeys } from './keys.ts';
import type { PdfPasswords } from './locked/passwords.ts';
import { createKnownPages, isKnown } from './known-pages.ts';
import { isPaused, progressOf, setPaused, countUnread } from './progress.ts';
import type { QueueDependencies, TextRow } from './queue.ts';
import { createReadingQueue } from './queue.ts';
import { createOutdated } from './outdated.ts';
import type { RecognisedStore } from './reader.ts';
import { createReader } from './reader.ts';
import type { PackedText } from './for-export.ts';
import { packedTexts } from './for-export.ts';
import { createScanQueue } from './ocr/queue.ts';
import type { Scans } from './ocr/scanner.ts';
import { createScanner } from './ocr/scanner.ts';

export interface ReadingDependencies extends QueueDependencies {
  db: Knex;
  blobs: BlobStore;
  log: Pick<Logger, 'info'>;
  audit: Pick<Audit, 'record' | 'recordAlone' | 'recordViewing'>;
  documents: Pick<Documents, 'openFile' | 'views'>;
  /** Seals the keys of the indexes. */
  seal: Sealer;
  /** Whether this server reads documents at all. */
  on: boolean;
  /** How pages that are pictures are read. */
  scans?: Scans;
  /** Seals the texts of such pages; `seal` where left out. */
  scanSeal?: Sealer;
  /** The passwords of locked PDFs; without it, none is known. */
  passwords?: Pick<PdfPasswords, 'candidates' | 'store' | 'known'>;
  limits?: Partial<SandboxLimits>;
  /** Without it, what is recognised is not stored. */
  recognised?: RecognisedStore;
}

/** What a user is told of a PDF that stays locked for them although it has been read, see `isReadable`. */
const LOCKED: Omit<TextRow, 'firm_id' | 'sha256'> = {
  id: 0,
  state: 'refused',
  reason: 'locked',
  blob_id: null,
  kind: null,
  pages: null,
  without: null,
  characters: null,
  cut: null,
  read_at: null,
  scan: null,
  scan_pages: null,
  scanned: null,
  sure: null,
};

/**
 * Equal contents are read once for the firm: a time before this file came would say that somebody has the same, perhaps
 * where the user may not look.
 */
const laterOf = (readAt: string, cameAt: string): string => (readAt > cameAt ? readAt : cameAt);

const NOT_READ = 'No text is read of files of this type.';

/** The texts of files: read in the background, stored sealed, and searched through an index of keyed hashes. */
export function createReading(dependencies: ReadingDependencies) {
  const { db, documents, audit, scans = 'off' } = dependencies;
  const types = scans === 'off' ? READ_TYPES : [...READ_TYPES, ...PICTURE_TYPES];
  const queue = createReadingQueue({ ...dependencies, types });
  const keys = createTextKeys(dependencies);
  const finder = createTextSearch({ ...dependencies, queue, keys });
  const pages = createScanQueue({ db, seal: dependencies.scanSeal ?? dependencies.seal });
  const outdated = createOutdated(db);
  const reader = createReader({
    ...dependencies,
    queue,
    outdated,
    keys,
    scans: pages,
    scansToo: scans !== 'off',
    passwords: dependencies.passwords ?? null,
  });
  const scanner = createScanner({
    ...dependencies,
    queue: pages,
    scans,
    passwordOf: async ({ firm_id, sha256 }) => (await dependencies.passwords?.known(firm_id, sha256)) ?? '',
  });

  function requireRead(actor: Actor): void {
    if (!may(actor, 'documents.read')) throw forbidden();
  }

  const stateOf = (
    { file_type }: OpenedFile,
    row: Pick<TextRow, 'state' | 'scan'> | undefined,
  ): TextState => {
    if (!types.includes(file_type)) return 'unread';
    if (row?.state === 'no_text' && row.scan === 'waiting') return 'waiting';
    return !row || row.state === 'gone' || row.state === 'unread' ? 'waiting' : (row.state as TextState);
  };

  async function view(actor: Actor, file: OpenedFile): Promise<{ view: TextStateView; blob: string | null }> {
    const isShut = file.file_type === 'pdf' && !(await isReadable(db, actor, file.sha256));
    const row = isShut ? LOCKED : await queue.row(actor.firmId, file.sha256);
    const state = stateOf(file, row);
    const known = state === 'waiting' || state === 'unread' ? undefined : row;
    return {
      view: {
        state,
        reason: known?.reason ?? null,
        kind: known?.kind ?? null,
        pages: known?.pages ?? null,
        pages_without_text: known?.without ?? null,
        characters: known?.characters ?? null,
        cut: known?.cut ?? null,
        read_at: known?.read_at ? laterOf(known.read_at, file.modified_at) : null,
        scan: row?.scan
          ? {
              pages: row.scan_pages ?? 0,
              read: row.scanned ?? 0,
              failed: await pages.failedOf(row.id),
              sure: row.sure,
            }
          : null,
        paused: await isPaused(db, actor.firmId),
      },
      blob: known?.blob_id ?? null,
    };
  }

  return {
    /** The reading state of a file. @throws {AppError} 404, 403. */
    async state(actor: Actor, id: number): Promise<TextStateView> {
      return (await view(actor, await documents.openFile(actor, id))).view;
    },

    /**
     * The text of a file, with empty `texts` until there is one. Not for a user who may only view.
     * @throws {AppError} 404, 403.
     */
    async text(actor: Actor, id: number): Promise<TextView> {
      const file = await documents.openFile(actor, id);
      requireDownload(actor);
      const { view: state, blob } = await view(actor, file);
      const { sha256 } = file;
      const stored = blob && (await finder.loadText(actor.firmId, { sha256, blob_id: blob }));
      if (!stored) return { ...state, ...(blob && { state: 'waiting' as const }), texts: [] };
      await audit.recordAlone({
        actor,
        did: 'document.download',
        subject: `item:${id}`,
        detail: { name: file.name, inline: true },
        content: sha256,
      });
      return { ...state, texts: stored.pages };
    },

    /**
     * The words of pages that were read as pictures with their boxes, for the preview to mark. Not for a user who may
     * only view.
     * @throws {AppError} 404, 403.
     */
    async words(actor: Actor, id: number): Promise<ScanWords> {
      const file = await documents.openFile(actor, id);
      requireDownload(actor);
      const { blob } = await view(actor, file);
      const stored =
        blob && (await finder.loadTextAndWords(actor.firmId, { sha256: file.sha256, blob_id: blob }));
      if (!stored) return { pages: [] };
      const detail = { name: file.name };
      await audit.recordViewing({ actor, subject: `item:${id}`, detail, content: file.sha256 });
      return {
        pages: stored.text.pages.flatMap(({ page, text }, index) => {
          const { boxes = [], sure } = stored.words[index] ?? {};
          return sure && text !== '' ? [{ page, text, boxes }] : [];
        }),
      };
    },

    /** All pages of a content with the boxes of their words, or why they are not all known. */
    isKnown,
    knownPages: createKnownPages({ queue, pages, finder, on: dependencies.on, scans }),

    /** Queues a content to be read. */
    enqueue: queue.enqueue,

    /** Queues a file to be read again. @throws {AppError} 404, 403; 422 for a type that is not read. */
    async readAgain(actor: Actor, id: number): Promise<TextStateView> {
      const file = await documents.openFile(actor, id);
      if (!may(actor, 'documents.write')) throw forbidden();
      if (!types.includes(file.file_type)) throw new AppError(422, 'not_read', NOT_READ);
      const row = await queue.row(actor.firmId, file.sha256);
      if (row) await db.transaction((trx) => pages.delete(trx, [row.id]));
      await queue.enqueue(actor.firmId, file.sha256);
      await audit.recordAlone({
        actor,
        did: 'document.read_again',
        subject: `item:${id}`,
        detail: { name: file.name },
      });
      return (await view(actor, file)).view;
    },

    /** The progress on all files that the actor sees. @throws {AppError} 403. */
    async progress(actor: Actor): Promise<ReadingProgress> {
      requireRead(actor);
      return progressOf(db, actor, { on: dependencies.on, types });
    },

    /** How many of these files are still to be read; 0 where this server does not read. */
    async unread(actor: Actor, ids: readonly number[]): Promise<number> {
      return dependencies.on && ids.length > 0 ? countUnread(db, actor, ids, types) : 0;
    },

    /** Pauses or resumes the reading of the firm's files. @throws {AppError} 403 unless the actor is an admin who may change documents. */
    async pause(actor: Actor, paused: boolean): Promise<ReadingProgress> {
      if (actor.role !== 'admin' || !may(actor, 'documents.write')) throw forbidden();
      await db.transaction(async (trx) => {
        if ((await isPaused(trx, actor.firmId)) === paused) return;
        await setPaused(trx, actor.firmId, paused);
        await audit.record(trx, {
          actor,
          did: paused ? 'document.pause_reading' : 'document.resume_reading',
        });
      });
      return progressOf(db, actor, { on: dependencies.on, types });
    },

    /**
     * Files that the actor sees and whose text matches the query: words in any order, prefixes of words, and phrases
     * in quotation marks. Newest first, each with the matching line and page.
     * @throws {AppError} 403.
     */
    async find(actor: Actor, query: string, limit: number, within?: Within): Promise<TextHits> {
      requireRead(actor);
      return finder.find(actor, query, limit, within);
    },

    /** The stored texts of contents, by SHA-256, for an export of the whole firm. */
    packed: (actor: Actor, hashes: readonly string[]): Promise<Map<string, PackedText>> => {
      requireRead(actor);
      return packedTexts(dependencies, actor.firmId, hashes);
    },

    /** A key of the firm, 32 bytes, for sealing other data about documents. */
    keyOf: (firmId: number): Promise<Buffer> => keys.keyOf(firmId),

    /** The ids of the newest matching files. @throws {AppError} 403. */
    async ids(actor: Actor, query: string, limit: number, within?: Within): Promise<number[]> {
      requireRead(actor);
      return finder.ids(actor, query, limit, within);
    },

    /** The index expression for texts that name a financial year. */
    yearExpression: ({ firmId }: Actor, start: number): Promise<string> =>
      finder.yearExpression(firmId, start),

    /** Whether there is work for `work`. */
    due: async (): Promise<boolean> => reader.needsCheck() || (await queue.any()) || outdated.any(),
    /** Reads waiting files for one time slice. @returns how many were processed. */
    work: (signal: AbortSignal): Promise<number> => reader.work(signal),
    /** Queues a content again that was refused for want of its password. */
    enqueueUnlocked: (firmId: number, sha256: string): Promise<void> => queue.enqueueUnlocked(firmId, sha256),

    /** Whether there is work for `scan`. */
    scansDue: async (): Promise<boolean> => scans !== 'off' && pages.any(),
    /** Reads pages that are pictures for one time slice. @returns how many. */
    scan: (signal: AbortSignal): Promise<number> => scanner.work(signal),
    /** Ends the reading processes. */
    stop(): void {
      reader.stop();
      scanner.stop();
    },
  };
}
export type { KnownPages } from './known-pages.ts';
export type Reading = ReturnType<typeof createReading>;
