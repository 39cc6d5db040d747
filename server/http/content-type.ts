/** How a file is served: its media type, and whether a browser may show it in place. */
interface ServedAs {
  type: string;
  inline: boolean;
}

const TEXT = 'text/plain; charset=utf-8';

/** Types that may be shown inline. XML, JSON and SQL are served as plain text, so that no browser interprets them. */
const SHOWN: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  bmp: 'image/bmp',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  tiff: 'image/tiff',
  tif: 'image/tiff',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  webm: 'video/webm',
  ogg: 'video/ogg',
  mov: 'video/quicktime',
  avi: 'video/x-msvideo',
  mkv: 'video/x-matroska',
  wmv: 'video/x-ms-wmv',
  flv: 'video/x-flv',
  '3gp': 'video/3gpp',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  aac: 'audio/aac',
  m4a: 'audio/mp4',
  wma: 'audio/x-ms-wma',
  txt: TEXT,
  csv: TEXT,
  json: TEXT,
  xml: TEXT,
  sql: TEXT,
};

/** Types that are always downloads; the type lets a phone offer the right program. HTML is missing on purpose. */
const SAVED: Record<string, string> = {
  // Our own viewer fetches PDFs. Chromium's viewer would run the scripts in them, sandbox or not.
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xlsm: 'application/vnd.ms-excel.sheet.macroEnabled.12',
  xlsb: 'application/vnd.ms-excel.sheet.binary.macroEnabled.12',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  rtf: 'application/rtf',
  heic: 'image/heic',
  heif: 'image/heif',
  eml: 'message/rfc822',
  msg: 'application/vnd.ms-outlook',
  zip: 'application/zip',
  zipx: 'application/zip',
};

/**
 * Looks up the extension (lower case, no dot) in these tables alone: neither the content nor the uploader's
 * type counts.
 */
export function servedAs(extension: string | null): ServedAs {
  const key = extension ?? '';
  if (Object.hasOwn(SHOWN, key)) return { type: SHOWN[key]!, inline: true };
  const type = Object.hasOwn(SAVED, key) ? SAVED[key]! : 'application/octet-stream';
  return { type, inline: false };
}
