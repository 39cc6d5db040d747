const RECORD = 56;

export interface ListedBlob {
  id: string;
  /** The size of the sealed file. */
  bytes: number;
  /** The SHA-256 of the sealed file, 64 hex digits. */
  sha256: string;
}

/** The list of a snapshot's sealed files in the format of FORMAT.md: 56 bytes each, so that a million fit into memory. */
export class BlobList {
  readonly data: Buffer;
  /** @throws {RangeError} for bytes that are not a list. */
  constructor(data: Buffer) {
    if (data.length % RECORD !== 0) throw new RangeError('not a list of blobs');
    this.data = data;
  }

  /** @param blobs ordered by id. */
  static of(blobs: readonly ListedBlob[]): BlobList {
    return BlobList.join(blobs.map(BlobList.record));
  }

  /** @param records ordered by id. */
  static join(records: readonly Buffer[]): BlobList {
    return new BlobList(Buffer.concat(records));
  }

  static record({ id, bytes, sha256 }: ListedBlob): Buffer {
    const data = Buffer.allocUnsafe(RECORD);
    data.write(id, 0, 16, 'hex');
    data.writeBigUInt64BE(BigInt(bytes), 16);
    data.write(sha256, 24, 32, 'hex');
    return data;
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

  /** Looks up ids that are requested in ascending order: any number of them take one pass through the list. */
  inOrder(): (id: string) => Buffer | undefined {
    let index = 0;
    let id = this.count > 0 ? this.idAt(0) : '';
    return (wanted) => {
      while (index < this.count && id < wanted) {
        index += 1;
        if (index < this.count) id = this.idAt(index);
      }
      return index < this.count && id === wanted
        ? this.data.subarray(index * RECORD, (index + 1) * RECORD)
        : undefined;
    };
  }

  *[Symbol.iterator](): Generator<ListedBlob> {
    for (let index = 0; index < this.count; index += 1) yield this.at(index);
  }

  get bytes(): number {
    let sum = 0;
    for (let start = 16; start < this.data.length; start += RECORD)
      sum += Number(this.data.readBigUInt64BE(start));
    return sum;
  }
}
