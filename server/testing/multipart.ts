/** A part of a form: a text field, or a file when it has a `filename`. */
export interface Part {
  name: string;
  filename?: string | null;
  /** Replaces `filename="…"`, to test malformed headers. */
  filenameLine?: string;
  type?: string;
  body: string | Buffer;
}

export const BOUNDARY = '----AlmirahTestBoundary7MA4YWxk';
export const CONTENT_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** The body, as a browser sends it. */
export function multipart(parts: Part[]): Buffer {
  const pieces = parts.flatMap(({ name, filename, filenameLine, type, body }) => {
    const isFile = filename !== undefined || filenameLine !== undefined;
    const shown = filenameLine ?? (filename === null ? '' : `filename="${filename}"`);
    const head =
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${shown && isFile ? `; ${shown}` : ''}\r\n` +
      `${isFile ? `Content-Type: ${type ?? 'application/octet-stream'}\r\n` : ''}\r\n`;
    return [Buffer.from(head), Buffer.from(body), Buffer.from('\r\n')];
  });
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

export const filePart = (filename: string, body: string | Buffer = 'content'): Part => ({
  name: 'file',
  filename,
  body,
});
