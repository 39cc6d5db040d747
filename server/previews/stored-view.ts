/** The stored form of a `view` rendition: the length of the first part (UInt32LE) and two parts. */
export interface View {
  /** The response of `GET /api/documents/:id/view` as JSON, gzipped. */
  json: Buffer;
  /** The HTML for the frame, gzipped; empty if there is none. */
  body: Buffer;
}

const HEAD = 4;

export function packed(json: Uint8Array, body: Uint8Array): Buffer {
  const head = Buffer.alloc(HEAD);
  head.writeUInt32LE(json.length);
  return Buffer.concat([head, json, body]);
}

export function unpacked(bytes: Buffer): View {
  const end = HEAD + bytes.readUInt32LE(0);
  return { json: bytes.subarray(HEAD, end), body: bytes.subarray(end) };
}
