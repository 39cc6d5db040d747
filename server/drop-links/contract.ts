import * as v from 'valibot';
import type { Language } from '#server/text/language.ts';

const FILE_MB_MAX = 250;
const FILES_MAX = 5000;
/** The folder of a client in which it arrives. */
export const FOLDER = 'Received';

/** What comes by a link: everything that the vault takes, or PDFs and pictures only. */
export const DROP_KINDS = ['any', 'papers'] as const;
export type DropKinds = (typeof DROP_KINDS)[number];

/** A lasting link by which a client sends anything, as the firm sees it. */
export interface DropView {
  id: number;
  client: { id: number; name: string };
  made_by: { id: number; name: string };
  /** Megabytes of one file, and files by this link altogether. */
  file_mb: number;
  max_files: number;
  kinds: DropKinds;
  received: number;
  /** ISO 8601, UTC. */
  last_received_at: string | null;
  opened: number;
  last_opened_at: string | null;
  /** `Office network (192.168.1.7)`. */
  last_opened_from: string | null;
  created_at: string;
  url: string;
  /** A QR code of the address, as SVG; '' where the links of several clients are listed. */
  qr: string;
}

/** Links of one answer; where fewer come, there are no older ones. */
export const DROPS_PAGE = 100;

const MB = `Give a number of megabytes from 1 to ${FILE_MB_MAX}`;
const FILES = `Give a number of files from 1 to ${FILES_MAX}`;
const number = (most: number, text: string) =>
  v.pipe(v.number(text), v.safeInteger(text), v.minValue(1, text), v.maxValue(most, text));
export const makeDrop = v.object({
  client_id: v.pipe(v.number('Choose a client'), v.safeInteger('Choose a client')),
  file_mb: v.optional(number(FILE_MB_MAX, MB), 50),
  max_files: v.optional(number(FILES_MAX, FILES), 1000),
  kinds: v.optional(v.picklist(DROP_KINDS, 'Choose what can be sent'), 'any'),
});
export type MakeDrop = v.InferInput<typeof makeDrop>;
/** Photographs that are to become one document bear one mark. */
export const bindDropped = v.object({ batch: v.pipe(v.string(), v.regex(/^[\w-]{8,64}$/)) });
const id = v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/, 'A whole number'), v.transform(Number)));
/** `before`: the id of the last link of the page before. */
export const dropsQuery = v.object({ client: id, before: id });
export type DropsQuery = Partial<v.InferOutput<typeof dropsQuery>>;

/** What a sender sees: nothing of what is there. */
export type DropPage =
  | { state: 'gone' }
  | {
      state: 'open';
      firm: string;
      logo: string | null;
      /** The language in which the firm writes to the client. */
      language: Language;
      form: string;
      file_mb: number;
      kinds: DropKinds;
    };
