/** Bytes of what stands before each message: the lengths of its text and of its bytes. */
const HEAD = 8;

const KINDS = { u8: Uint8Array, u32: Uint32Array, f32: Float32Array } as const;
type Kind = keyof typeof KINDS;
/** What stands in the text of a message in the place of an array of bytes or numbers. */
interface Placed {
  $array: Kind;
  bytes: number;
}

function kindOf(value: ArrayBufferView): Kind {
  const found = (Object.keys(KINDS) as Kind[]).find((kind) => value instanceof KINDS[kind]);
  if (!found) throw new TypeError('Such an array is not sent between processes.');
  return found;
}

/** A message: plain values as JSON, arrays of bytes and numbers behind it as they are. */
export function framed(value: unknown): Buffer[] {
  const arrays: Buffer[] = [];
  const text = Buffer.from(
    JSON.stringify(value, function (this: Record<string, unknown>, key, seen: unknown) {
      // Not `seen`: a Buffer would be a list of numbers by then.
      const own = this[key];
      if (!ArrayBuffer.isView(own)) return seen;
      arrays.push(Buffer.from(own.buffer, own.byteOffset, own.byteLength));
      return { $array: kindOf(own), bytes: own.byteLength } satisfies Placed;
    }),
  );
  const head = Buffer.alloc(HEAD);
  head.writeUInt32BE(text.length, 0);
  head.writeUInt32BE(
    arrays.reduce((sum, { length }) => sum + length, 0),
    4,
  );
  return [head, text, ...arrays];
}

/** Puts arrays in the places that stand for them. Not done while parsing, which takes twice as long for a table of many rows. */
function filled(value: unknown, take: (placed: Placed) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1)
      if (typeof value[at] === 'object') value[at] = filled(value[at], take);
    return value;
  }
  if (Object.hasOwn(value, '$array')) return take(value as Placed);
  const own = value as Record<string, unknown>;
  for (const key of Object.keys(own)) if (typeof own[key] === 'object') own[key] = filled(own[key], take);
  return value;
}

function unframed(text: Buffer, bytes: Buffer): unknown {
  const plain: unknown = JSON.parse(text.toString('utf8'));
  // Without arrays, as sheets of a million cells are, nothing has to be looked for.
  if (!text.includes('"$array"')) return plain;
  let at = 0;
  return filled(plain, ({ $array, bytes: length }) => {
    const size = Number(length);
    const Type = Object.hasOwn(KINDS, $array) ? KINDS[$array] : undefined;
    if (!Type || !Number.isSafeInteger(size) || size < 0 || at + size > bytes.length)
      throw new RangeError('This message does not hold what it says.');
    // A copy of its own, since numbers must begin at a multiple of their size.
    const own = Uint8Array.prototype.slice.call(bytes, at, at + size);
    at += size;
    if ($array === 'u8') return own;
    return new Type(own.buffer, 0, size / Type.BYTES_PER_ELEMENT);
  });
}

/** Bytes of a message that are taken: of its text, which is parsed while others wait, and of it all. */
export interface FrameLimits {
  text: number;
  all: number;
}

/** Takes messages out of a stream. @throws {RangeError} for one that is too large or does not hold together. */
export function createUnframer(limits: FrameLimits) {
  let pieces: Buffer[] = [];
  let held = 0;
  let needed = HEAD;

  function taken(): Buffer {
    const all = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, held);
    pieces = [all];
    return all;
  }

  return {
    *add(piece: Buffer): Generator<unknown> {
      pieces.push(piece);
      held += piece.length;
      while (held >= needed) {
        const all = taken();
        const text = all.readUInt32BE(0);
        const size = HEAD + text + all.readUInt32BE(4);
        if (text > limits.text || size > limits.all) throw new RangeError('This message is too large.');
        needed = size;
        if (held < size) return;
        const rest = all.subarray(size);
        pieces = rest.length > 0 ? [rest] : [];
        held = rest.length;
        needed = HEAD;
        yield unframed(all.subarray(HEAD, HEAD + text), all.subarray(HEAD + text, size));
      }
    },
  };
}
