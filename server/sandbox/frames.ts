/** Bytes of a frame header: the lengths of the JSON and of the binary part. */
const HEADER_BYTES = 8;

const KINDS = { u8: Uint8Array, u32: Uint32Array, f32: Float32Array } as const;
type Kind = keyof typeof KINDS;
/** Stands in the JSON for a typed array. */
interface ArrayReference {
  $array: Kind;
  bytes: number;
}

function arrayKind(value: ArrayBufferView): Kind {
  const found = (Object.keys(KINDS) as Kind[]).find((kind) => value instanceof KINDS[kind]);
  if (!found) throw new TypeError('Such an array is not sent between processes.');
  return found;
}

/**
 * Replaces typed arrays by references and collects their bytes. Before JSON, which turns a Buffer into a list of numbers before a
 * replacer sees it, and calls a replacer for every cell of a table.
 */
function withReferences(value: unknown, arrays: Buffer[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value)) {
    arrays.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
    return { $array: arrayKind(value), bytes: value.byteLength } satisfies ArrayReference;
  }
  if (Array.isArray(value)) return value.map((item) => withReferences(item, arrays));
  if ('toJSON' in value) throw new TypeError('Such an object is not sent between processes.');
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withReferences(item, arrays)]));
}

/** Encodes a message of plain values and typed arrays: the plain values as JSON, then the typed arrays as raw bytes. */
export function encodeFrame(message: unknown): Buffer[] {
  const arrays: Buffer[] = [];
  const text = Buffer.from(JSON.stringify(withReferences(message, arrays)));
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(text.length, 0);
  header.writeUInt32BE(
    arrays.reduce((sum, { length }) => sum + length, 0),
    4,
  );
  return [header, text, ...arrays];
}

/** Replaces references by their arrays. A JSON reviver would take twice as long for a table of many rows. */
function withArrays(value: unknown, take: (reference: ArrayReference) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1)
      if (typeof value[index] === 'object') value[index] = withArrays(value[index], take);
    return value;
  }
  if (Object.hasOwn(value, '$array')) return take(value as ArrayReference);
  const object = value as Record<string, unknown>;
  for (const key of Object.keys(object))
    if (typeof object[key] === 'object') object[key] = withArrays(object[key], take);
  return value;
}

function decodeMessage(text: Buffer, bytes: Buffer): unknown {
  const plain: unknown = JSON.parse(text.toString('utf8'));
  // Skip the walk where there are no arrays, as in sheets of a million cells.
  if (!text.includes('"$array"')) return plain;
  let offset = 0;
  return withArrays(plain, ({ $array, bytes: length }) => {
    const size = Number(length);
    const Type = Object.hasOwn(KINDS, $array) ? KINDS[$array] : undefined;
    if (!Type || !Number.isSafeInteger(size) || size < 0 || offset + size > bytes.length)
      throw new RangeError('This message does not hold what it says.');
    // Copied, since the offset of a typed array must be a multiple of its element size.
    const copy = Uint8Array.prototype.slice.call(bytes, offset, offset + size);
    offset += size;
    if ($array === 'u8') return copy;
    return new Type(copy.buffer, 0, size / Type.BYTES_PER_ELEMENT);
  });
}

/** The largest accepted message in bytes: its JSON, which is parsed synchronously, and the whole frame. */
interface FrameLimits {
  text: number;
  all: number;
}

/** Splits a stream into messages. @throws {RangeError} for a frame that is too large or inconsistent. */
export function createFrameDecoder(limits: FrameLimits) {
  let pieces: Buffer[] = [];
  let buffered = 0;
  let needed = HEADER_BYTES;

  function concatenated(): Buffer {
    const all = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, buffered);
    pieces = [all];
    return all;
  }

  return {
    *decode(piece: Buffer): Generator<unknown> {
      pieces.push(piece);
      buffered += piece.length;
      while (buffered >= needed) {
        const all = concatenated();
        const text = all.readUInt32BE(0);
        const size = HEADER_BYTES + text + all.readUInt32BE(4);
        if (text > limits.text || size > limits.all) throw new RangeError('This message is too large.');
        needed = size;
        if (buffered < size) return;
        const rest = all.subarray(size);
        pieces = rest.length > 0 ? [rest] : [];
        buffered = rest.length;
        needed = HEADER_BYTES;
        yield decodeMessage(
          all.subarray(HEADER_BYTES, HEADER_BYTES + text),
          all.subarray(HEADER_BYTES + text, size),
        );
      }
    },
  };
}
