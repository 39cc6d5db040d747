import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Sealer } from '#server/datadir/sealing.ts';
import type { Documents, OpenedFile } from '#server/documents/service.ts';
import { AppError, forbidden } from '#server/http/errors.ts';
import { demandDownload } from '#server/links/links.ts';
import type { SandboxLimits } from '#server/sandbox/sandbox.ts';
import type { BlobStore } from '#storage/blobs.ts';
import type { ReadingProgress, ScanWords, TextHits, TextState, TextStateView, TextView } from './contract.ts';
import { PICTURE_TYPES, READ_TYPES } from './contract.ts';
import type { Within } from './find.ts';
import { createFinder } from './find.ts';
import { createTextKeys } from './keys.ts';
import type { PdfPasswords } from './locked/passwords.ts';
import { createKnown } from './kept-pages.ts';
import { isPaused, progressOf, setPaused, unreadOf } from './progress.ts';
import type { QueueParts, TextRow } from './queue.ts';
import { createReadingQueue } from './queue.ts';
import type { RecognisedKeeper } from './reader.ts';
import { createReader } from './reader.ts';
import type { PackedText } from './for-export.ts';
import { packedTexts } from './for-export.ts';
import { createScanQueue } from './ocr/queue.ts';
import type { Scans } from './ocr/scanner.ts';
import { createScanner } from './ocr/scanner.ts';

export interface ReadingParts extends QueueParts {
  db: Knex;
  blobs: BlobStore;
  log: Pick<Logger, 'info'>;
  audit: Pick<Audit, 'record' | 'recordAlone'>;
  documents: Pick<Documents, 'openFile' | 'views'>;
  /** For the keys of the indexes. */
  seal: Sealer;
  /** Whether this server reads documents at all. */
  on: boolean;
  /** How it reads pages that are pictures. */
  scans?: Scans;
  /** For what was read of such pages; left out, as the index. */
  scanSeal?: Sealer;
  /** Of locked PDFs; left out, none is known. */
  passwords?: Pick<PdfPasswords, 'candidates' | 'keep' | 'known'>;
  limits?: Partial<SandboxLimits>;
  /** Left out, what is recognised is not kept. */
  recognised?: RecognisedKeeper;
}

const NOT_READ = 'No text is read of files of this type.';

/**
 * What files say: read in the background, kept sealed as files are, and looked for by an index of keyed hashes.
 */
export function createReading(use: ReadingParts) {
  const { db, documents, audit, scans = 'off' } = use;
  const types = scans === 'off' ? READ_TYPES : [...READ_TYPES, ...PICTURE_TYPES];
  const queue = createReadingQueue({ ...use, types });
  const keys = createTextKeys(use);
  const finder = createFinder({ ...use, queue, keys });
  const pages = createScanQueue({ db, seal: use.scanSeal ?? use.seal });
  const reader = createReader({
    ...use,
    queue,
    keys,
    scans: pages,
    scansToo: scans !== 'off',
    passwords: use.passwords ?? null,
  });
  const scanner = createScanner({
    ...use,
    queue: pages,
    scans,
    passwordOf: async ({ firm_id, sha256 }) => (await use.passwords?.known(firm_id, sha256)) ?? '',
  });

  function demandRead(actor: Actor): void {
    if (!may(actor, 'documents.read')) throw forbidden();
  }

  const stateOf = ({ file_type }: OpenedFile, row: TextRow | undefined): TextState => {
    if (!types.includes(file_type)) return 'unread';
    if (row?.state === 'no_text' && row.scan === 'waiting') return 'waiting';
    return !row || row.state === 'gone' || row.state === 'unread' ? 'waiting' : (row.state as TextState);
  };

  async function view(actor: Actor, file: OpenedFile): Promise<{ view: TextStateView; blob: string | null }> {
    const row = await queue.row(actor.firmId, file.sha256);
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
        read_at: known?.read_at ?? null,
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
    /** How far a file is. @throws {AppError} 404, 403. */
    async state(actor: Actor, id: number): Promise<TextStateView> {
      return (await view(actor, await documents.openFile(actor, id))).view;
    },

    /**
     * All that was read of a file, with no texts as long as there is none; not for one who may only look.
     * @throws {AppError} 404, 403.
     */
    async text(actor: Actor, id: number): Promise<TextView> {
      const file = await documents.openFile(actor, id);
      demandDownload(actor);
      const { view: state, blob } = await view(actor, file);
      const { sha256 } = file;
      const kept = blob && (await finder.opened(actor.firmId, { sha256, blob_id: blob }));
      if (!kept) return { ...state, ...(blob && { state: 'waiting' as const }), texts: [] };
      await audit.recordAlone({
        actor,
        did: 'document.download',
        subject: `item:${id}`,
        detail: { name: file.name, inline: true },
      });
      return { ...state, texts: kept.pages };
    },

    /**
     * The words of the pages that were read as pictures, with their places, for the preview to mark; not for one who may
     * only look.
     * @throws {AppError} 404, 403.
     */
    async words(actor: Actor, id: number): Promise<ScanWords> {
      const file = await documents.openFile(actor, id);
      demandDownload(actor);
      const { blob } = await view(actor, file);
      const kept = blob && (await finder.withWords(actor.firmId, { sha256: file.sha256, blob_id: blob }));
      if (!kept) return { pages: [] };
      return {
        pages: kept.text.pages.flatMap(({ page, text }, at) => {
          const { boxes = [], sure } = kept.words[at] ?? {};
          return sure && text !== '' ? [{ page, text, boxes }] : [];
        }),
      };
    },

    /** All that is known of a content's pages, with the places of their words. */
    known: createKnown({ queue, pages, finder, on: use.on, scans }),

    /** Puts a content on the list of what is read. */
    enqueue: queue.again,

    /** Has a file read again, in its turn. @throws {AppError} 404, 403; 422 for a type that is not read. */
    async readAgain(actor: Actor, id: number): Promise<TextStateView> {
      const file = await documents.openFile(actor, id);
      if (!may(actor, 'documents.write')) throw forbidden();
      if (!types.includes(file.file_type)) throw new AppError(422, 'not_read', NOT_READ);
      const row = await queue.row(actor.firmId, file.sha256);
      if (row) await db.transaction((trx) => pages.forget(trx, [row.id]));
      await queue.again(actor.firmId, file.sha256);
      await audit.recordAlone({
        actor,
        did: 'document.read_again',
        subject: `item:${id}`,
        detail: { name: file.name },
      });
      return (await view(actor, file)).view;
    },

    /** Of the files that the actor sees. @throws {AppError} 403. */
    async progress(actor: Actor): Promise<ReadingProgress> {
      demandRead(actor);
      return progressOf(db, actor, { on: use.on, types });
    },

    /** Of these files: how many are still to be read; none where this server reads nothing. */
    async unread(actor: Actor, ids: readonly number[]): Promise<number> {
      return use.on && ids.length > 0 ? unreadOf(db, actor, ids, types) : 0;
    },

    /** Stops the reading of the firm's files, or goes on with it. @throws {AppError} 403 for who is no admin. */
    async pause(actor: Actor, paused: boolean): Promise<ReadingProgress> {
      if (actor.role !== 'admin') throw forbidden();
      await db.transaction(async (trx) => {
        if ((await isPaused(trx, actor.firmId)) === paused) return;
        await setPaused(trx, actor.firmId, paused);
        await audit.record(trx, {
          actor,
          did: paused ? 'document.pause_reading' : 'document.resume_reading',
        });
      });
      return progressOf(db, actor, { on: use.on, types });
    },

    /**
     * Files that the actor sees and in whose text the query stands: words in any order, beginnings of words, and phrases
     * in quotation marks. The newest first, each with the line and the page.
     * @throws {AppError} 403.
     */
    async find(actor: Actor, query: string, limit: number, within?: Within): Promise<TextHits> {
      demandRead(actor);
      return finder.find(actor, query, limit, within);
    },

    /** The texts of contents, by their SHA-256, for an export of all that the actor's firm has. */
    packed: (actor: Actor, hashes: readonly string[]): Promise<Map<string, PackedText>> => {
      demandRead(actor);
      return packedTexts(use, actor.firmId, hashes);
    },

    /** A key of the firm's, 32 bytes, for those who keep what else is known of documents. */
    keyOf: (firmId: number): Promise<Buffer> => keys.keyOf(firmId),

    /** The newest of them by their ids, without the lines. @throws {AppError} 403. */
    async ids(actor: Actor, query: string, limit: number, within?: Within): Promise<number[]> {
      demandRead(actor);
      return finder.ids(actor, query, limit, within);
    },

    /** What asks the index of texts for those that name a year. */
    yearQuestion: ({ firmId }: Actor, start: number): Promise<string> => finder.yearQuestion(firmId, start),

    /** Whether anything waits. */
    due: async (): Promise<boolean> => reader.unsure() || queue.any(),
    /** Reads for a while what waits. @returns how many files were dealt with. */
    work: (signal: AbortSignal): Promise<number> => reader.work(signal),
    /** Has a content read that would not open for want of its password. */
    readUnlocked: (firmId: number, sha256: string): Promise<void> => queue.unlocked(firmId, sha256),

    /** Whether any page waits that is a picture. */
    scansDue: async (): Promise<boolean> => scans !== 'off' && pages.any(),
    /** Reads for a while pages that are pictures. @returns how many. */
    scan: (signal: AbortSignal): Promise<number> => scanner.work(signal),
    /** Ends the processes that read. */
    stop(): void {
      reader.stop();
      scanner.stop();
    },
  };
}
export type { KnownPages } from './kept-pages.ts';
export type Reading = ReturnType<typeof createReading>;
