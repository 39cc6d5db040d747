const RECORD = 56;

export interface ListedBlob {
  id: string;
  /** Of the sealed file. */
  bytes: number;
  /** Of the sealed file, 64 hex digits. */
  sha256: string;
}

/** Which sealed files a snapshot has, as FORMAT.md lays them out: 56 bytes each, so that a million fit into memory. */
export class BlobList {
  readonly data: Buffer;
  /** @throws {RangeError} when it is no such list. */
  constructor(data: Buffer) {
    if (data.length % RECORD !== 0) throw new RangeError('not a list of blobs');
    this.data = data;
  }

  /** @param blobs ordered by id. */
  static of(blobs: readonly ListedBlob[]): BlobList {
    const data = Buffer.allocUnsafe(blobs.length * RECORD);
    for (const [at, { id, bytes, sha256 }] of blobs.entries()) {
      data.write(id, at * RECORD, 16, 'hex');
      data.writeBigUInt64BE(BigInt(bytes), at * RECORD + 16);
      data.write(sha256, at * RECORD + 24, 32, 'hex');
    }
    return new BlobList(data);
  }

  get count(): number {
    return this.data.length / RECORD;
  }

  at(index: number): ListedBlob {
    const from = index * RECORD;
    return {
      id: this.idAt(index),
      bytes: Number(this.data.readBigUInt64BE(from + 16)),
      sha256: this.data.toString('hex', from + 24, from + RECORD),
    };
  }

  idAt(index: number): string {
    return this.data.toString('hex', index * RECORD, index * RECORD + 16);
  }

  find(id: string): ListedBlob | undefined {
    const wanted = Buffer.from(id, 'hex');
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = this.data.compare(wanted, 0, 16, middle * RECORD, middle * RECORD + 16);
      if (order === 0) return this.at(middle);
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  *[Symbol.iterator](): Generator<ListedBlob> {
    for (let index = 0; index < this.count; index += 1) yield this.at(index);
  }

  get bytes(): number {
    let sum = 0;
    for (let at = 16; at < this.data.length; at += RECORD) sum += Number(this.data.readBigUInt64BE(at));
    return sum;
  }
}
