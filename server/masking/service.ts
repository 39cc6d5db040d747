import { Readable as Source } from 'node:stream';
import type { Logger } from 'pino';
import type { Actor } from '#server/actor.ts';
import type { LeftOut } from '#server/archive/service.ts';
import type { Documents, FileRef, OpenedFile, Step } from '#server/documents/service.ts';
import { AppError } from '#server/http/errors.ts';
import type { Jobs } from '#server/jobs/service.ts';
import type { SandboxLimits } from '#server/sandbox/sandbox.ts';
import { createSandbox } from '#server/sandbox/sandbox.ts';
import type { KnownPages } from '#server/reading/service.ts';
import { hasCheckDigit } from '#server/reading/words/aadhaar.ts';
import type { Records, RenditionKey } from '#server/records/service.ts';
import type { BlobStore } from '#storage/blobs.ts';
import { buffer } from 'node:stream/consumers';
import type { MaskCheck, MaskReason, MaskVerdict } from './contract.ts';
import { CHECKED_MAX, MASK_REASONS, PAGE_TYPES, TEXT_TYPES } from './contract.ts';
import type { Masked, MaskOrder } from './order.ts';

/** Bytes of a file; a larger one takes too much to be drawn page by page. */
const SIZE_MAX = 100 * 1024 * 1024;
const LIMITS: Partial<SandboxLimits> = {
  // Of many pages, each is drawn, and some are read.
  milliseconds: 10 * 60_000,
  bytes: 1500 * 1024 * 1024,
  heapMb: 768,
  idleMs: 15_000,
};
const QUEUE = { slots: 1, perFirm: 1, waiting: 500 };
/** Names of withheld files that an answer tells. */
const NAMED = 20;

/** Milliseconds for which somebody waits for a file to be covered, before they are asked to come back. */
const PATIENCE = 20_000;

async function soon(verdict: Promise<MaskVerdict>): Promise<MaskVerdict> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<MaskVerdict>((resolve) => {
    timer = setTimeout(() => resolve({ state: 'waiting' }), PATIENCE);
  });
  try {
    return await Promise.race([verdict, late]);
  } finally {
    clearTimeout(timer);
    // It goes on for whoever comes next.
    verdict.catch(() => {});
  }
}

const NAMED_NUMBER = /(?<!\d)(\d{4})([ ._-]?)(\d{4})([ ._-]?)(\d{4})(?!\d)/g;

/** A name as recipients see it: people write the number into it. */
const nameOf = (name: string): string =>
  name.replace(NAMED_NUMBER, (whole, a: string, s: string, b: string, t: string, c: string) =>
    hasCheckDigit(a + b + c) || /aadhaa?r|uid/i.test(name) ? `XXXX${s}XXXX${t}${c}` : whole,
  );

/** What is asked about a file. */
type Content = Pick<OpenedFile, 'sha256' | 'blob_id' | 'file_type' | 'size'>;

export interface MaskingParts {
  blobs: Pick<BlobStore, 'get' | 'put' | 'delete' | 'has'>;
  jobs: Pick<Jobs, 'memoryQueue'>;
  log: Pick<Logger, 'info'>;
  records: Pick<Records, 'rendition' | 'keepRendition' | 'forgetRendition' | 'dropRenditions'>;
  documents: Pick<Documents, 'openFile' | 'walk'>;
  known: (firmId: number, sha256: string) => Promise<KnownPages>;
  /** What opens a locked PDF; null while nobody knows it, and for what is not locked. */
  passwordOf: (firmId: number, sha256: string) => Promise<string | null>;
  /** As `passwordOf`, for a person. */
  passwordTo: (actor: Actor, sha256: string) => Promise<string | null>;
  heldBack: (blobId: string) => Promise<boolean>;
  /** Whether pictures within pages of text are read with the networks; null where they are not read. */
  networks: boolean | null;
}

export const withheld = (why: MaskReason | 'waiting'): AppError =>
  new AppError(
    409,
    `withheld_${why}`,
    'Aadhaar numbers are covered in what this link gives, and in this file they cannot be.',
  );

/**
 * What leaves by links that cover Aadhaar numbers: files in which there are none as they are, PDFs and pictures with such
 * numbers as pictures of their pages in which all but the last four digits are covered, and of all else nothing. What was
 * found out is kept as pictures are, and found out anew when the text of a file is read anew.
 */
export function createMasking(use: MaskingParts) {
  const { blobs, records, documents, log } = use;
  const sandbox = createSandbox<MaskOrder, Masked>(new URL('./process.ts', import.meta.url), LIMITS);
  const queue = use.jobs.memoryQueue(QUEUE);
  const stopping = new AbortController();

  const keyOf = (firm_id: number, sha256: string): RenditionKey => ({
    firm_id,
    sha256,
    kind: 'masked',
    page: 1,
  });
  /** Without bytes, the pages say what was found: none to be covered, or why it cannot be. */
  const noted = (why: MaskReason | null) => (why === null ? 0 : -1 - MASK_REASONS.indexOf(why));

  async function found(firmId: number, sha256: string) {
    const key = keyOf(firmId, sha256);
    const row = await records.rendition(key);
    if (!row?.blob_id || (await blobs.has(row.blob_id))) return row;
    await records.forgetRendition(key);
    return null;
  }

  /** What is known without making anything; `make` where it can be made. */
  async function look(firmId: number, { sha256, file_type, size }: Content): Promise<MaskVerdict | 'make'> {
    const isText = TEXT_TYPES.includes(file_type);
    if (!isText && !PAGE_TYPES.includes(file_type)) return { state: 'withheld', why: 'type' };
    if (size > SIZE_MAX) return { state: 'withheld', why: 'long' };
    const row = await found(firmId, sha256);
    if (row?.blob_id) return { state: 'masked' };
    if (row) {
      const why = MASK_REASONS[-1 - (row.pages ?? 0)];
      return why ? { state: 'withheld', why } : { state: 'clear' };
    }
    if (isText) return 'make';
    const known = await use.known(firmId, sha256);
    if ('pages' in known) return 'make';
    return known.why === 'waiting' ? { state: 'waiting' } : { state: 'withheld', why: known.why };
  }

  async function make(firm_id: number, file: Content, signal: AbortSignal): Promise<void> {
    const isText = TEXT_TYPES.includes(file.file_type);
    const known = isText ? { pages: [], version: '' } : await use.known(firm_id, file.sha256);
    if (!('pages' in known)) return;
    const password = await use.passwordOf(firm_id, file.sha256);
    const order: MaskOrder = {
      bytes: await buffer(await blobs.get(file.blob_id)),
      fileType: file.file_type,
      pages: known.pages,
      networks: use.networks,
      ...(password !== null && { password }),
    };
    // Plain text is decoded by nobody's code; of all else one process sees one file.
    const owner = `${firm_id} ${isText ? 'text' : file.sha256}`;
    const made = await sandbox.run(order, owner, signal);
    if ('fault' in made) log.info({ why: made.fault }, 'the Aadhaar numbers of a file cannot be covered');
    const now = isText ? known : await use.known(firm_id, file.sha256);
    // It was read anew meanwhile: what was found in the old text may be too little.
    if (!('pages' in now) || now.version !== known.version) return;
    const key = keyOf(firm_id, file.sha256);
    if (!('pdf' in made)) {
      const why = 'clear' in made ? null : 'withheld' in made ? made.withheld : 'unknown';
      await records.keepRendition(key, { blob_id: null, bytes: null, pages: noted(why) });
      return;
    }
    const blob = await blobs.put(Source.from([Buffer.from(made.pdf)]));
    const kept = await records.keepRendition(key, {
      blob_id: blob.id,
      bytes: made.pdf.length,
      pages: made.pages,
    });
    if (!kept) await blobs.delete(blob.id);
  }

  /** What a file is given as, which may have to be made first. @throws {AppError} 503. */
  async function verdict(firmId: number, file: Content, requester?: AbortSignal): Promise<MaskVerdict> {
    const first = await look(firmId, file);
    if (first !== 'make') return first;
    const request = { firm_id: firmId, key: `mask ${firmId} ${file.sha256}`, requester };
    await queue.ask(request, (signal) => make(firmId, file, signal));
    const second = await look(firmId, file);
    return second === 'make' ? { state: 'waiting' } : second;
  }

  /** A locked PDF is shown by what the office knows only where whoever shares it has said so. */
  async function isShut({ recipient, firmId }: Actor, { file_type, sha256 }: Content): Promise<boolean> {
    return (
      recipient?.opensLocked !== true &&
      file_type === 'pdf' &&
      (await use.passwordOf(firmId, sha256)) !== null
    );
  }

  /** The office knows the password of a copy that belongs to a client whom this person does not see. */
  async function isClosedTo(actor: Actor, { file_type, sha256 }: Content): Promise<boolean> {
    if (file_type !== 'pdf' || (await use.passwordOf(actor.firmId, sha256)) === null) return false;
    return (await use.passwordTo(actor, sha256)) === null;
  }

  /** What stands for a file; null for the file itself. @throws {AppError} 409 where nothing of it is given. */
  async function standIn(actor: Actor, file: Content): Promise<{ blob_id: string; size: number } | null> {
    if (await isShut(actor, file)) throw withheld('locked');
    const said = await soon(verdict(actor.firmId, file));
    if (said.state === 'clear') return null;
    if (said.state !== 'masked') throw withheld(said.state === 'withheld' ? said.why : 'waiting');
    const row = await found(actor.firmId, file.sha256);
    if (!row?.blob_id) throw withheld('waiting');
    return { blob_id: row.blob_id, size: row.bytes ?? 0 };
  }

  const pdfName = (name: string): string => `${nameOf(name).replace(/\.[^.]*$/, '')} (Aadhaar covered).pdf`;

  /** As `documents.openFile`: to a recipient of such a link what stands for the file. @throws {AppError} 409 `withheld_…`. */
  async function given(actor: Actor, ref: FileRef): Promise<OpenedFile> {
    const file = await documents.openFile(actor, ref);
    if (actor.recipient?.masked !== true) return file;
    const instead = await standIn(actor, file);
    const { item } = file;
    if (!instead) return { ...file, name: nameOf(file.name) };
    const name = pdfName(file.name);
    return {
      ...file,
      ...instead,
      name,
      file_type: 'pdf',
      item: { ...item, name, file_type: 'pdf' },
      masked: true,
    };
  }

  async function* walk(actor: Actor, ids: readonly number[]): AsyncGenerator<Step | LeftOut> {
    for await (const step of documents.walk(actor, ids)) {
      const { blob_id, sha256, file_type, size } = step;
      if (actor.recipient?.masked !== true || (blob_id && (await use.heldBack(blob_id)))) yield step;
      else if (!blob_id || !sha256) yield { ...step, path: step.path.map(nameOf) };
      else {
        const path = step.path.map(nameOf);
        try {
          const file = { blob_id, sha256, file_type: file_type ?? '', size: size ?? 0 };
          const instead = await standIn(actor, file);
          if (!instead) yield { ...step, path };
          else
            yield {
              ...step,
              ...instead,
              path: [...path.slice(0, -1), pdfName(step.path.at(-1)!)],
              crc32: null,
            };
        } catch (error) {
          if (!isWithheld(error)) throw error;
          yield { ...step, path, left_out: true };
        }
      }
    }
  }

  return {
    openFile: given,
    walk,
    nameOf,

    /**
     * As `openFile`, for who draws pages: those of a locked PDF only where the link opens it, and for who sees the client
     * for whose document its password was entered.
     * @throws {AppError} 409 `locked_pdf`, `withheld_…`.
     */
    async shownFile(actor: Actor, ref: FileRef): Promise<OpenedFile> {
      const file = await given(actor, ref);
      const shut = actor.recipient?.linkId === undefined ? isClosedTo : isShut;
      if (!file.masked && (await shut(actor, file)))
        throw new AppError(409, 'locked_pdf', 'This PDF opens with a password.');
      return file;
    },

    /** What a link would give of a file now, without making anything. @throws {AppError} 404. */
    async stateOf(actor: Actor, id: number): Promise<MaskVerdict> {
      const file = await documents.openFile(actor, id);
      if (await isShut(actor, file)) return { state: 'withheld', why: 'locked' };
      const said = await look(actor.firmId, file);
      return said === 'make' ? { state: 'waiting' } : said;
    },

    /** What a link to these items would give, as far as it is known; the rest is found out meanwhile. @throws {AppError} 404. */
    async check(actor: Actor, ids: readonly number[], { opensLocked = false } = {}): Promise<MaskCheck> {
      const told: MaskCheck = {
        files: 0,
        masked: 0,
        waiting: 0,
        withheld: 0,
        names: [],
        more: false,
        locked: 0,
      };
      for await (const { path, blob_id, sha256, file_type, size } of documents.walk(actor, ids)) {
        if (!blob_id || !sha256) continue;
        if (told.files === CHECKED_MAX) {
          told.more = true;
          break;
        }
        told.files += 1;
        const file = { blob_id, sha256, file_type: file_type ?? '', size: size ?? 0 };
        const shut = file.file_type === 'pdf' && (await use.passwordOf(actor.firmId, sha256)) !== null;
        if (shut) told.locked += 1;
        const said: MaskVerdict | 'make' =
          shut && !opensLocked ? { state: 'withheld', why: 'locked' } : await look(actor.firmId, file);
        if (said === 'make' || said.state === 'waiting') told.waiting += 1;
        else if (said.state === 'masked') told.masked += 1;
        else if (said.state === 'withheld') {
          told.withheld += 1;
          if (told.names.length < NAMED) told.names.push({ name: path.at(-1)!, why: said.why });
        }
      }
      return told;
    },

    /** Finds out what is to be covered in all files of these items, one after the other, so that nobody waits for it later. */
    async prepare(actor: Actor, ids: readonly number[]): Promise<void> {
      try {
        for await (const { blob_id, sha256, file_type, size } of documents.walk(actor, ids)) {
          if (stopping.signal.aborted) return;
          if (blob_id && sha256)
            await verdict(actor.firmId, { blob_id, sha256, file_type: file_type ?? '', size: size ?? 0 });
        }
      } catch (error) {
        // Whoever opens the link has it done then.
        log.info({ err: error }, 'files of a link could not be made ready');
      }
    },

    /** The text of a content was read anew. */
    forget: (firmId: number, sha256: string): Promise<void> =>
      records.dropRenditions(firmId, sha256, ['masked', 'masked_page']),

    stop(): void {
      stopping.abort();
      sandbox.stop();
    },
  };
}
export type Masking = ReturnType<typeof createMasking>;

/** Whether it says that nothing of a file is given because numbers in it cannot be covered. */
const isWithheld = (error: unknown): boolean =>
  error instanceof AppError && error.code.startsWith('withheld_');
