import * as v from 'valibot';
import { typedLine } from '#server/text/typed.ts';

/**
 * Defaults. Every earlier version is kept for `VERSION_DAYS` days from its replacement; after that only the last of each
 * day, at most `VERSIONS_KEPT` per file.
 */
export const VERSION_DAYS = 30;
export const VERSIONS_KEPT = 100;

/** The example in the error message. */
const KEPT_AS = 'as filed';
const WORD_MAX = 60;

/** Identifies one earlier version. */
export interface VersionRef {
  item: number;
  version: number;
}

/** The subject of a download link to a version. */
export const aboutVersion = ({ item, version }: VersionRef): string => `version:${item}:${version}`;

/** Audit detail for opening a file: its name and, for an earlier version, when that content was uploaded. */
export const openedAs = (file: { name: string; version?: number; modified_at: string }) => ({
  name: file.name,
  ...(file.version !== undefined && { version_of: file.modified_at }),
});

/** One content of a file: the present or an earlier one. */
export interface VersionView {
  /** Null for the present content. */
  id: number | null;
  /** The file's name when this content was replaced. */
  name: string;
  /** Extension without the dot. */
  file_type: string;
  /** Bytes. */
  file_size: number;
  formatted_file_size: string;
  /** SHA-256 of the content: 64 hexadecimal digits. */
  sha256: string;
  user_id: number;
  user_name: string;
  /** When this content was uploaded. ISO 8601, UTC, like the next three. */
  created_at: string;
  /** When it was replaced; null for the present content. */
  replaced_at: string | null;
  /** When the file was last changed on the sender's computer; null when unknown. */
  original_at: string | null;
  /** For a restored content, when the version it was restored from had been uploaded; otherwise null. */
  restored_from: string | null;
  /** The word with which the version is kept forever; null when it may be thinned out. */
  kept_as: string | null;
  /** The name of the uploaded file where that of the file was another one; otherwise null. */
  uploaded_as: string | null;
}

/** The content of a file over time. */
export interface VersionList {
  current: VersionView;
  /** Ordered by replacement, last replaced first. */
  earlier: VersionView[];
  /** Storage that the earlier versions use; content that occurs twice is counted once. */
  bytes: number;
  formatted_bytes: string;
  /** Every earlier version is kept for `days` days; after that the last of each day, at most `most` of them. */
  days: number;
  most: number;
  /** Why no earlier version can be deleted now: a seal, a legal hold or a retention rule; null when they can be deleted. */
  stays: string | null;
}

const WORD = `Say in 1 to ${WORD_MAX} characters why it is kept, such as "${KEPT_AS}".`;

/** The word with which a version is kept forever; null makes it subject to thinning again. */
export const keepVersion = v.object({
  kept_as: v.nullable(
    v.pipe(v.string(WORD), v.transform(typedLine), v.nonEmpty(WORD), v.maxLength(WORD_MAX, WORD)),
  ),
});
