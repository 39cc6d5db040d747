import * as v from 'valibot';

/** For how many days every earlier version is kept, and how many days' last ones after that, unless the server is told otherwise. */
export const VERSION_DAYS = 30;
export const VERSIONS_KEPT = 100;

/** The word with which a version is kept for ever when the reader gives none of their own. */
const KEPT_AS = 'as filed';
const WORD_MAX = 60;

/** Names one earlier version. */
export interface VersionRef {
  item: number;
  version: number;
}

/** What links to a version are about. */
export const aboutVersion = ({ item, version }: VersionRef): string => `version:${item}:${version}`;

/** What the history says of a file that was opened: its name, and of an earlier version when that came in. */
export const openedAs = (file: { name: string; version?: number; modified_at: string }) => ({
  name: file.name,
  ...(file.version !== undefined && { version_of: file.modified_at }),
});

/** One content of a file: the present one, or one that it had before. */
export interface VersionView {
  /** Null for the present content. */
  id: number | null;
  /** As the file was called when this content was replaced. */
  name: string;
  /** Extension without the dot. */
  file_type: string;
  /** Bytes. */
  file_size: number;
  formatted_file_size: string;
  /** Of the content, as 64 hex digits: the same for the same content. */
  sha256: string;
  user_id: number;
  user_name: string;
  /** When this content came in. ISO 8601, UTC, as the next three. */
  created_at: string;
  /** When another took its place; null for the present content. */
  replaced_at: string | null;
  /** When the file was last changed where it came from; null when unknown. */
  original_at: string | null;
  /** When the content had come in that was restored to be this one; null for what was not restored. */
  restored_from: string | null;
  /** It is never deleted by itself; null for what may be. */
  kept_as: string | null;
}

/** The content of a file over time. */
export interface VersionList {
  current: VersionView;
  /** What was replaced last comes first. */
  earlier: VersionView[];
  /** What the earlier versions take of the firm's storage; content that is there twice is counted once. */
  bytes: number;
  formatted_bytes: string;
  /** Every earlier version stays so many days; then the last of each day, at most `most` of them. */
  days: number;
  most: number;
  /** Why no earlier version can be deleted now: a seal, a legal hold or a retention rule; null when they can. */
  stays: string | null;
}

const WORD = `Say in 1 to ${WORD_MAX} characters why it is kept, such as "${KEPT_AS}".`;

/** A word to keep a version for ever with; null to let it go like the others. */
export const keepVersion = v.object({
  kept_as: v.nullable(
    v.pipe(
      v.string(WORD),
      v.transform((text) => text.normalize('NFC').replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu, ' ')),
      v.trim(),
      v.nonEmpty(WORD),
      v.maxLength(WORD_MAX, WORD),
    ),
  ),
});
