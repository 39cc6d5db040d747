/** Names of files that Excel is saving. People give such names to files and folders of their own, as `20241231`. */
const EXCEL = /^[0-9A-F]{7,8}$/;

/**
 * Names of temporary files that programs and systems store next to documents: lock markers, folder settings,
 * parts of a file being saved. They work for the program and never become documents.
 */
const SCRATCH = [
  // macOS
  /^\._/,
  /^\.(?:DS_Store|localized|apdisk|hidden|metadata_never_index|metadata_never_index_unless_rootfs|metadata_direct_scope_only|ql_disablethumbnails|ql_disablecache|VolumeIcon\.icns|com\.apple\..*)$/i,
  /^\.(?:Trashes|Spotlight-V100|fseventsd|TemporaryItems|DocumentRevisions-V100)$/i,
  // Windows
  /^(?:desktop\.ini|thumbs\.db|ehthumbs\.db|autorun\.inf)$/i,
  // Office and LibreOffice: marks of open documents, and files that are being saved
  /^~\$/,
  /^\.~lock\..*#$/,
  /\.tmp$/i,
  EXCEL,
  /^lu[0-9a-z]{4,}\.tmp$/i,
  // Linux
  /^\.goutputstream-/,
  /^\.(?:fuse_hidden|nfs)[0-9a-f]+$/i,
  /^\.directory$/,
];

/** Marks of open documents, which tell a colleague's program who has a document open. */
const MARKS = [/^~\$/, /^\.~lock\..*#$/];

export const isMark = (name: string): boolean => MARKS.some((pattern) => pattern.test(name));

export const isScratch = (name: string): boolean => SCRATCH.some((pattern) => pattern.test(name));

/** Whether a name may be a temporary file's or a person's; only the former is created empty. */
export const isAmbiguous = (name: string): boolean => EXCEL.test(name);
