/** What is kept of a file that the server reads: two parts, the length of the first one in front. */
export interface View {
  /** The answer to who asks for it, JSON, gzipped. */
  json: Buffer;
  /** The page for its frame, gzipped; empty where there is none. */
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
