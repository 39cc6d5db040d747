import { MAX_FILE_BYTES } from '#server/documents/contract.ts';

/** Upper bound of boundaries, part headers and text fields in a multipart body. */
export const FORM_OVERHEAD_BYTES = 256 * 1024;
/** Upper bound of a multipart body with one file. */
export const MAX_MULTIPART_BYTES = MAX_FILE_BYTES + FORM_OVERHEAD_BYTES;
