import { Readable as Source } from 'node:stream';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Actor } from '#server/actor.ts';
import type { LeftOut } from '#server/archive/service.ts';
import type { Documents, FileRef, OpenedFile, Step } from '#server/documents/service.ts';
import { AppError } from '#server/http/errors.ts';
import type { Jobs } from '#server/jobs/service.ts';
import type { SandboxLimits } from '#server/sandbox/sandbox.ts';
import { createSandbox } from '#server/sandbox/sandbox.ts';
import type { KnownPages } from '#server/reading/service.ts';
import { asciiDigits, GAP_OF_AADHAAR } from '#server/text/aadhaar.ts';
import { verhoeffHolds } from '#server/text/check-digits.ts';
import type { MarkHeld } from '#server/scanning/contract.ts';
import type { Records, RenditionKey } from '#server/records/service.ts';
import type { BlobStore } from '#storage/blobs.ts';
import { buffer } from 'node:stream/consumers';
import type { MaskCheck, MaskReason, MaskVerdict } from './contract.ts';
import { CHECKED_MAX, copyType, MASK_REASONS, PAGE_TYPES, TEXT_TYPES } from './contract.ts';
import { hasNumber, mentionsAadhaar } from './numbers.ts';
import type { MaskResult, MaskRequest } from './request.ts';

/** A larger file takes too long to render page by page. */
const FILE_MAX_BYTES = 100 * 1024 * 1024;
/** Texts are decoded and searched as a whole, and a longer one would keep the others waiting. */
const TEXT_MAX_BYTES = 5 * 1024 * 1024;
const LIMITS: Partial<SandboxLimits> = {
  // Each of many pages is rendered, and some are read.
  milliseconds: 10 * 60_000,
  bytes: 1500 * 1024 * 1024,
  heapMb: 768,
  // A copy of a file is about as large as the file.
  answer: FILE_MAX_BYTES + 60 * 1024 * 1024,
  idleMs: 15_000,
};
const QUEUE = { slots: 1, perFirm: 1, waiting: 500 };
/** Names of withheld files in a response. */
const NAMES_MAX = 20;

/** How long a request waits for a file to be masked before the user is asked to come back. */
const WAIT_MS = 20_000;

async function withTimeout(verdict: Promise<MaskVerdict>): Promise<MaskVerdict> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<MaskVerdict>((resolve) => {
    timer = setTimeout(() => resolve({ state: 'waiting' }), WAIT_MS);
  });
  try {
    return await Promise.race([verdict, late]);
  } finally {
    clearTimeout(timer);
    // Masking continues for the next request.
    verdict.catch(() => {});
  }
}

const FOUR = String.raw`(\p{Nd}{4})`;
const GAP = `(${GAP_OF_AADHAAR}{0,3})`;
const NUMBER_IN_NAME = new RegExp(String.raw`(?<!\p{Nd})${FOUR}${GAP}${FOUR}${GAP}${FOUR}(?!\p{Nd})`, 'gu');

/** Masks an Aadhaar number in a file name. */
const maskName = (name: string): string =>
  name.replace(NUMBER_IN_NAME, (whole, a: string, s: string, b: string, t: string, c: string) =>
    verhoeffHolds(asciiDigits(a + b + c)) || mentionsAadhaar(name) || /uid/i.test(name)
      ? `XXXX${s}XXXX${t}${c}`
      : whole,
  );

type Content = Pick<OpenedFile, 'sha256' | 'blob_id' | 'file_type' | 'size'>;

interface MaskingDependencies {
  blobs: Pick<BlobStore, 'get' | 'put' | 'delete' | 'has'>;
  jobs: Pick<Jobs, 'memoryQueue'>;
  log: Pick<Logger, 'info'>;
  records: Pick<Records, 'rendition' | 'keepRendition' | 'forgetRendition' | 'dropRenditions'>;
  documents: Pick<Documents, 'openFile' | 'walk'>;
  known: (firmId: number, sha256: string) => Promise<KnownPages>;
  /** Whether the known pages of a content are still of this version, and stay so until the transaction ends. */
  isKnown: (trx: Knex.Transaction, firmId: number, sha256: string, version: string) => Promise<boolean>;
  /** The password of a locked PDF; null if unknown, and for a PDF that is not locked. */
  passwordOf: (firmId: number, sha256: string) => Promise<string | null>;
  /** As `passwordOf`, limited to what a user may know. */
  passwordTo: (actor: Actor, sha256: string) => Promise<string | null>;
  markHeld: MarkHeld;
  /** Whether pictures within pages are read with the networks; null if they are not read. */
  networks: boolean | null;
}

export const withheld = (why: MaskReason | 'waiting'): AppError =>
  new AppError(
    409,
    `withheld_${why}`,
    'Aadhaar numbers are covered in what this link gives, and in this file they cannot be.',
  );

/**
 * What masking links serve: texts without Aadhaar numbers as they are; of PDFs and pictures never the file, but what their
 * pages show: without numbers as a new file, with numbers as pictures of the pages with all but the last four digits
 * covered; and nothing else. Results are stored as renditions, and computed again when the text of a file is read again.
 */
export function createMasking(dependencies: MaskingDependencies) {
  const { blobs, records, documents, log } = dependencies;
  const sandbox = createSandbox<MaskRequest, MaskResult>(new URL('./process.ts', import.meta.url), LIMITS);
  const queue = dependencies.jobs.memoryQueue(QUEUE);
  const stopping = new AbortController();

  const keyOf = (
    firm_id: number,
    { sha256, file_type }: Pick<Content, 'sha256' | 'file_type'>,
  ): RenditionKey => ({
    firm_id,
    sha256,
    file_type,
    kind: 'masked',
    page: 1,
  });
  /**
   * A result is coded as a number of pages: 0 is clear, with the copy as its blob except of a text; a negative number is
   * a reason.
   */
  const CLEAR = 0;
  const codeOf = (why: MaskReason | null) => (why === null ? CLEAR : -1 - MASK_REASONS.indexOf(why));

  async function storedResult(firmId: number, file: Pick<Content, 'sha256' | 'file_type'>) {
    const key = keyOf(firmId, file);
    const row = await records.rendition(key);
    if (!row?.blob_id || (await blobs.has(row.blob_id))) return row;
    await records.forgetRendition(key);
    return null;
  }

  /** The stored verdict, or `make` if it is to be computed. */
  async function storedVerdict(firmId: number, file: Content): Promise<MaskVerdict | 'make'> {
    const { sha256, file_type, size } = file;
    const isText = TEXT_TYPES.includes(file_type);
    if (!isText && !PAGE_TYPES.includes(file_type)) return { state: 'withheld', why: 'type' };
    if (size > (isText ? TEXT_MAX_BYTES : FILE_MAX_BYTES)) return { state: 'withheld', why: 'long' };
    const row = await storedResult(firmId, file);
    if (row?.blob_id) return { state: row.pages === CLEAR ? 'clear' : 'masked' };
    if (row) {
      const why = MASK_REASONS[-1 - (row.pages ?? 0)];
      return why ? { state: 'withheld', why } : { state: 'clear' };
    }
    if (isText) return 'make';
    const known = await dependencies.known(firmId, sha256);
    if ('pages' in known) return 'make';
    return known.why === 'waiting' ? { state: 'waiting' } : { state: 'withheld', why: known.why };
  }

  /** Whether the text of a file that is not masked yet has a number. */
  async function showsNumber(firmId: number, { sha256, file_type }: Content): Promise<boolean> {
    if (!PAGE_TYPES.includes(file_type)) return false;
    const known = await dependencies.known(firmId, sha256);
    if (!('pages' in known)) return false;
    const isCard = known.pages.some(({ text }) => mentionsAadhaar(text));
    return known.pages.some((page) => hasNumber(page, isCard));
  }

  async function mask(firm_id: number, file: Content, signal: AbortSignal): Promise<void> {
    const isText = TEXT_TYPES.includes(file.file_type);
    const known = isText ? { pages: [], version: '' } : await dependencies.known(firm_id, file.sha256);
    if (!('pages' in known)) return;
    const password = await dependencies.passwordOf(firm_id, file.sha256);
    const order: MaskRequest = {
      bytes: await buffer(await blobs.get(file.blob_id)),
      fileType: file.file_type,
      pages: known.pages,
      networks: dependencies.networks,
      ...(password !== null && { password }),
    };
    // No third-party code decodes plain text; for other files each process sees one file.
    const owner = `${firm_id} ${isText ? 'text' : file.sha256}`;
    const result = await sandbox.run(order, owner, signal);
    if ('fault' in result) log.info({ why: result.fault }, 'the Aadhaar numbers of a file cannot be covered');
    // If the file was read again meanwhile, the result may be outdated.
    const isValid = (trx: Knex.Transaction): Promise<boolean> =>
      isText ? Promise.resolve(true) : dependencies.isKnown(trx, firm_id, file.sha256, known.version);
    const key = keyOf(firm_id, file);
    const content = 'pdf' in result ? result.pdf : 'clear' in result ? result.copy : undefined;
    if (!content) {
      const why = 'clear' in result ? null : 'withheld' in result ? result.withheld : 'unknown';
      await records.keepRendition(key, { blob_id: null, bytes: null, pages: codeOf(why) }, isValid);
      return;
    }
    const blob = await blobs.put(Source.from([Buffer.from(content)]));
    const pages = 'pdf' in result ? result.pages : CLEAR;
    const stored = { blob_id: blob.id, bytes: content.length, pages };
    const isStored = await records.keepRendition(key, stored, isValid);
    if (!isStored) await blobs.delete(blob.id);
  }

  /** The verdict on a file, masking it first if necessary. @throws {AppError} 503. */
  async function verdict(firmId: number, file: Content, requester?: AbortSignal): Promise<MaskVerdict> {
    const first = await storedVerdict(firmId, file);
    if (first !== 'make') return first;
    const request = { firm_id: firmId, key: `${file.sha256} ${file.file_type}`, requester };
    await queue.run(request, (signal) => mask(firmId, file, signal));
    const second = await storedVerdict(firmId, file);
    return second === 'make' ? { state: 'waiting' } : second;
  }

  /**
   * A locked PDF is opened with the office's password for a link only if the sharing user allowed it, and for nobody who
   * does not see the client for whose document it was entered: a link shows no more than its maker sees.
   */
  async function isLockedFor(actor: Actor, { file_type, sha256 }: Content): Promise<boolean> {
    if (file_type !== 'pdf' || (await dependencies.passwordOf(actor.firmId, sha256)) === null) return false;
    const { recipient } = actor;
    if (recipient?.linkId !== undefined && recipient.opensLocked !== true) return true;
    return (await dependencies.passwordTo(actor, sha256)) === null;
  }

  /**
   * What is served instead of a file under its name; null for a text, which is served itself. @throws {AppError} 409
   * where nothing is served.
   */
  async function standIn(actor: Actor, file: Content, name: string) {
    if (await isLockedFor(actor, file)) throw withheld('locked');
    const outcome = await withTimeout(verdict(actor.firmId, file));
    if (outcome.state !== 'clear' && outcome.state !== 'masked')
      throw withheld(outcome.state === 'withheld' ? outcome.why : 'waiting');
    if (outcome.state === 'clear' && TEXT_TYPES.includes(file.file_type)) return null;
    const row = await storedResult(actor.firmId, file);
    if (!row?.blob_id) throw withheld('waiting');
    const shown = maskName(name);
    const stem = shown.replace(/\.[^.]*$/, '');
    const file_type = row.pages === CLEAR ? copyType(file.file_type) : 'pdf';
    const unchanged = row.pages === CLEAR && file_type === file.file_type;
    return {
      name: unchanged ? shown : `${stem}${row.pages === CLEAR ? '' : ' (Aadhaar covered)'}.pdf`,
      content: { blob_id: row.blob_id, size: row.bytes ?? 0 },
      file_type,
    };
  }

  /**
   * As `documents.openFile`, but a recipient of a masking link gets the stand-in. @throws {AppError} 409
   * `withheld_…`.
   */
  async function openFile(actor: Actor, ref: FileRef): Promise<OpenedFile> {
    const file = await documents.openFile(actor, ref);
    if (actor.recipient?.masked !== true) return file;
    const substitute = await standIn(actor, file, file.name);
    const { item } = file;
    if (!substitute) return { ...file, name: maskName(file.name) };
    const { name, file_type, content } = substitute;
    return { ...file, ...content, name, file_type, item: { ...item, name, file_type }, masked: true };
  }

  async function* walk(actor: Actor, ids: readonly number[]): AsyncGenerator<Step | LeftOut> {
    const steps = documents.walk(actor, ids);
    if (actor.recipient?.masked !== true) return yield* steps;
    for await (const [step, isHeld] of dependencies.markHeld(steps)) {
      const { blob_id, sha256, file_type, size } = step;
      const path = step.path.map(maskName);
      if (isHeld || !blob_id || !sha256) yield { ...step, path };
      else {
        try {
          const file = { blob_id, sha256, file_type: file_type ?? '', size: size ?? 0 };
          const substitute = await standIn(actor, file, step.path.at(-1)!);
          if (!substitute) yield { ...step, path };
          else
            yield {
              ...step,
              ...substitute.content,
              path: [...path.slice(0, -1), substitute.name],
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
    openFile,
    walk,
    maskName,

    /**
     * As `openFile`, for rendering pages: a locked PDF only where the link opens it, or the user sees the client for
     * whose document the password was entered.
     * @throws {AppError} 409 `locked_pdf`, `withheld_…`.
     */
    async shownFile(actor: Actor, ref: FileRef): Promise<OpenedFile> {
      const file = await openFile(actor, ref);
      if (!file.masked && (await isLockedFor(actor, file)))
        throw new AppError(409, 'locked_pdf', 'This PDF opens with a password.');
      return file;
    },

    /** What a link would serve of a file now, without masking it. @throws {AppError} 404. */
    async stateOf(actor: Actor, id: number): Promise<MaskVerdict> {
      const file = await documents.openFile(actor, id);
      if (await isLockedFor(actor, file)) return { state: 'withheld', why: 'locked' };
      const outcome = await storedVerdict(actor.firmId, file);
      return outcome === 'make' ? { state: 'waiting' } : outcome;
    },

    /**
     * What a link to these items would serve, as far as it is known; `prepare` computes the rest. @throws {AppError}
     * 404.
     */
    async check(actor: Actor, ids: readonly number[], { opensLocked = false } = {}): Promise<MaskCheck> {
      const result: MaskCheck = {
        files: 0,
        masked: 0,
        numbered: 0,
        waiting: 0,
        withheld: 0,
        names: [],
        more: false,
        locked: 0,
      };
      for await (const { path, blob_id, sha256, file_type, size } of documents.walk(actor, ids)) {
        if (!blob_id || !sha256) continue;
        if (result.files === CHECKED_MAX) {
          result.more = true;
          break;
        }
        result.files += 1;
        const file = { blob_id, sha256, file_type: file_type ?? '', size: size ?? 0 };
        const shut =
          file.file_type === 'pdf' && (await dependencies.passwordOf(actor.firmId, sha256)) !== null;
        if (shut) result.locked += 1;
        const staysShut = shut && (!opensLocked || (await dependencies.passwordTo(actor, sha256)) === null);
        const outcome: MaskVerdict | 'make' = staysShut
          ? { state: 'withheld', why: 'locked' }
          : await storedVerdict(actor.firmId, file);
        if (outcome === 'make' || outcome.state === 'waiting') {
          result.waiting += 1;
          if (outcome === 'make' && (await showsNumber(actor.firmId, file))) result.numbered += 1;
        } else if (outcome.state === 'masked') {
          result.masked += 1;
          result.numbered += 1;
        } else if (outcome.state === 'withheld') {
          result.withheld += 1;
          if (outcome.why === 'number') result.numbered += 1;
          if (result.names.length < NAMES_MAX) result.names.push({ name: path.at(-1)!, why: outcome.why });
        }
      }
      return result;
    },

    /** Masks all files of these items one after another, so that recipients need not wait. */
    async prepare(actor: Actor, ids: readonly number[]): Promise<void> {
      try {
        for await (const { blob_id, sha256, file_type, size } of documents.walk(actor, ids)) {
          if (stopping.signal.aborted) return;
          if (blob_id && sha256)
            await verdict(actor.firmId, { blob_id, sha256, file_type: file_type ?? '', size: size ?? 0 });
        }
      } catch (error) {
        // They are masked when the link is opened.
        log.info({ err: error }, 'files of a link could not be made ready');
      }
    },

    /** Drops the results for a content whose text was read again, in the transaction that stores the new text. */
    forget: (trx: Knex.Transaction, firmId: number, sha256: string): Promise<void> =>
      records.dropRenditions(trx, firmId, sha256, ['masked', 'masked_page']),

    stop(): void {
      stopping.abort();
      sandbox.stop();
    },
  };
}
export type Masking = ReturnType<typeof createMasking>;

/** Whether an error says that a file is withheld. */
const isWithheld = (error: unknown): boolean =>
  error instanceof AppError && error.code.startsWith('withheld_');
