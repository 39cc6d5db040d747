import { createCipheriv, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { zipCryptoKeys } from '../zipcrypto.ts';

/** An entry to be written into an archive of a test: as a good tool would, except where a field says otherwise. */
export interface Forged {
  name: string | Buffer;
  data?: string | Buffer;
  /** 8 by default. */
  method?: number;
  /** Added to what the rest asks for; 0x0800 marks UTF-8 and is set for names that are not ASCII. */
  flags?: number;
  /** System that wrote it: 0 DOS, 3 Unix, 10 Windows, 19 macOS. */
  host?: number;
  /** Unix mode, or DOS attributes when below 0x100. */
  mode?: number;
  /** Sizes stand behind the data, as in archives that were made while they were sent. */
  streamed?: boolean;
  zip64?: boolean;
  extra?: Buffer;
  localExtra?: Buffer;
  localName?: string | Buffer;
  localMethod?: number;
  password?: string;
  encryption?: 'zipcrypto' | 'ae1' | 'ae2';
  /** In place of the true figures in the directory. */
  crc?: number;
  size?: number;
  compressedSize?: number;
  offset?: number;
  /** In place of the packed bytes. */
  packed?: Buffer;
  /** No bytes and no header of its own: the directory points to what an earlier entry has. */
  like?: number;
}

export interface Ends {
  prefix?: Buffer;
  shift?: boolean;
  comment?: Buffer;
  trailing?: Buffer;
  count?: number;
  directorySize?: number;
  directoryOffset?: number;
  disk?: number;
  zip64?: boolean | { count?: bigint; size?: bigint; offset?: bigint; at?: bigint };
}

const bytesOf = (text: string | Buffer): Buffer => (typeof text === 'string' ? Buffer.from(text) : text);
const isAscii = (bytes: Buffer): boolean => bytes.every((byte) => byte < 128);
const MAX32 = 0xffffffff;

export function field(id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(data.length, 2);
  return Buffer.concat([head, data]);
}

const int64 = (...values: (number | bigint)[]): Buffer => {
  const bytes = Buffer.alloc(8 * values.length);
  for (const [n, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), 8 * n);
  return bytes;
};

function aesSealed(packed: Buffer, password: string): Buffer {
  const salt = randomBytes(16);
  const keys = pbkdf2Sync(password, salt, 1000, 66, 'sha1');
  const cipher = createCipheriv('aes-256-ecb', keys.subarray(0, 32), null).setAutoPadding(false);
  const sealed = Buffer.from(packed);
  for (let start = 0; start < sealed.length; start += 16) {
    const counter = Buffer.alloc(16);
    counter.writeUIntLE(start / 16 + 1, 0, 6);
    const stream = cipher.update(counter);
    for (let n = start; n < Math.min(start + 16, sealed.length); n += 1) sealed[n]! ^= stream[n - start]!;
  }
  const mac = createHmac('sha1', keys.subarray(32, 64)).update(sealed).digest().subarray(0, 10);
  return Buffer.concat([salt, keys.subarray(64), sealed, mac]);
}

function packedOf(forged: Forged, data: Buffer, crc: number, time: number): Buffer {
  const { method = 8, password, encryption = 'zipcrypto', streamed } = forged;
  const packed = forged.packed ?? (method === 8 ? deflateRawSync(data) : data);
  if (password === undefined) return packed;
  if (encryption !== 'zipcrypto') return aesSealed(packed, password);
  const head = randomBytes(12);
  head[11] = streamed ? time >>> 8 : crc >>> 24;
  return zipCryptoKeys(Buffer.from(password)).encrypt(Buffer.concat([head, packed]));
}

/** The archive that the entries and ends describe, sound or not. */
export function forge(entries: readonly Forged[], ends: Ends = {}): Buffer {
  const parts: Buffer[] = ends.prefix ? [ends.prefix] : [];
  const base = ends.prefix && !ends.shift ? ends.prefix.length : 0;
  let at = base;
  const directory: Buffer[] = [];
  const offsets: { offset: number; crc: number; size: number; packed: number }[] = [];
  const put = (...pieces: Buffer[]): void => {
    for (const piece of pieces) {
      parts.push(piece);
      at += piece.length;
    }
  };

  for (const forged of entries) {
    const name = bytesOf(forged.name);
    const data = bytesOf(forged.data ?? '');
    const isAes = forged.password !== undefined && (forged.encryption ?? 'zipcrypto') !== 'zipcrypto';
    const trueMethod = forged.method ?? 8;
    const method = isAes ? 99 : trueMethod;
    const time = 0x6000;
    const trueCrc = forged.encryption === 'ae2' ? 0 : crc32(data);
    let flags = forged.flags ?? (isAscii(name) ? 0 : 0x0800);
    if (forged.streamed) flags |= 0x0008;
    if (forged.password !== undefined) flags |= 0x0001;
    let extra = forged.extra ?? Buffer.alloc(0);
    if (isAes) {
      const aes = Buffer.from([forged.encryption === 'ae2' ? 2 : 1, 0, 0x41, 0x45, 3, trueMethod, 0]);
      extra = Buffer.concat([extra, field(0x9901, aes)]);
    }
    const like = forged.like === undefined ? undefined : offsets[forged.like]!;
    const packed = like ? Buffer.alloc(0) : packedOf(forged, data, trueCrc, time);
    const crc = forged.crc ?? like?.crc ?? trueCrc;
    const size = forged.size ?? like?.size ?? data.length;
    const compressedSize = forged.compressedSize ?? like?.packed ?? packed.length;
    const offset = forged.offset ?? like?.offset ?? at;
    offsets.push({ offset, crc, size, packed: packed.length });
    const zip64 = forged.zip64 ? field(0x0001, int64(size, compressedSize, offset)) : Buffer.alloc(0);
    if (!like) {
      const localName = bytesOf(forged.localName ?? name);
      const localExtra = Buffer.concat([
        forged.zip64 ? field(0x0001, int64(size, compressedSize)) : Buffer.alloc(0),
        forged.localExtra ?? extra,
      ]);
      const local = Buffer.alloc(30);
      local.writeUInt32LE(0x04034b50, 0);
      local.writeUInt16LE(forged.zip64 ? 45 : 20, 4);
      local.writeUInt16LE(flags, 6);
      local.writeUInt16LE(forged.localMethod ?? method, 8);
      local.writeUInt16LE(time, 10);
      local.writeUInt16LE(0x5a93, 12);
      if (!forged.streamed) {
        local.writeUInt32LE(crc, 14);
        local.writeUInt32LE(forged.zip64 ? MAX32 : compressedSize % 2 ** 32, 18);
        local.writeUInt32LE(forged.zip64 ? MAX32 : size % 2 ** 32, 22);
      }
      local.writeUInt16LE(localName.length, 26);
      local.writeUInt16LE(localExtra.length, 28);
      put(local, localName, localExtra, packed);
      if (forged.streamed) {
        const descriptor = Buffer.alloc(16);
        descriptor.writeUInt32LE(0x08074b50, 0);
        descriptor.writeUInt32LE(crc, 4);
        descriptor.writeUInt32LE(compressedSize, 8);
        descriptor.writeUInt32LE(size, 12);
        put(descriptor);
      }
    }
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central[4] = 20;
    central[5] = forged.host ?? 0;
    central.writeUInt16LE(20, 6);
    central.writeUInt16LE(flags, 8);
    central.writeUInt16LE(method, 10);
    central.writeUInt16LE(time, 12);
    central.writeUInt16LE(0x5a93, 14);
    central.writeUInt32LE(crc, 16);
    central.writeUInt32LE(forged.zip64 ? MAX32 : compressedSize, 20);
    central.writeUInt32LE(forged.zip64 ? MAX32 : size, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt16LE(zip64.length + extra.length, 30);
    const mode = forged.mode ?? 0;
    central.writeUInt32LE(mode < 0x100 ? mode : mode * 0x10000, 38);
    central.writeUInt32LE(forged.zip64 ? MAX32 : offset, 42);
    directory.push(central, name, zip64, extra);
  }

  const start = at;
  for (const piece of directory) put(piece);
  const size = ends.directorySize ?? at - start;
  const count = ends.count ?? entries.length;
  const offset = ends.directoryOffset ?? start;
  const wants64 = ends.zip64 ?? count > 0xffff;
  if (wants64) {
    const lies = typeof wants64 === 'object' ? wants64 : {};
    const record = Buffer.alloc(56);
    record.writeUInt32LE(0x06064b50, 0);
    record.writeBigUInt64LE(44n, 4);
    int64(lies.count ?? count, lies.count ?? count, lies.size ?? size, lies.offset ?? offset).copy(
      record,
      24,
    );
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50, 0);
    locator.writeBigUInt64LE(lies.at ?? BigInt(at), 8);
    locator.writeUInt32LE(1, 16);
    put(record, locator);
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(ends.disk ?? 0, 4);
  end.writeUInt16LE(ends.disk ?? 0, 6);
  end.writeUInt16LE(wants64 ? 0xffff : count % 65_536, 8);
  end.writeUInt16LE(wants64 ? 0xffff : count % 65_536, 10);
  end.writeUInt32LE(wants64 ? MAX32 : size, 12);
  end.writeUInt32LE(wants64 ? MAX32 : offset, 16);
  const comment = ends.comment ?? Buffer.alloc(0);
  end.writeUInt16LE(comment.length, 20);
  put(end, comment, ends.trailing ?? Buffer.alloc(0));
  return Buffer.concat(parts);
}
