import type { ByteWriter } from '../bytes.ts';
import type { S3Client } from './client.ts';
import { textOf } from './xml.ts';

/** The smallest part that S3 accepts, except for the last. An object has at most 10,000 parts. */
const PART_BYTES = 5 * 1024 * 1024;
const PARTS_MAX = 10_000;
/** Number of parts of one object that are sent in parallel while the next one is filled. */
const AWAY = 3;
/** If all writers together use more memory than this, each sends one part at a time. */
const MEMORY = 192 * 1024 * 1024;
const SPARE = 8;

let held = 0;
const spares: Buffer[] = [];
function take(): Buffer {
  held += PART_BYTES;
  return spares.pop() ?? Buffer.allocUnsafeSlow(PART_BYTES);
}
function giveBack(part: Buffer): void {
  held -= PART_BYTES;
  if (spares.length < SPARE) spares.push(part);
}

/**
 * Writes one object: a small one by one request, a large one in parts. The header comes first but is known last, so the first part is
 * kept and sent last.
 */
export function createS3Writer(client: S3Client, key: string, headBytes: number): ByteWriter {
  /** Its first `headBytes` are reserved for the header. */
  let first: Buffer | undefined;
  let part: Buffer | undefined;
  let filled = headBytes;
  let number = 1;
  let upload: Promise<string> | undefined;
  let failure: unknown;
  const away = new Set<Promise<void>>();
  const tags = new Map<number, string>();
  const taken = new Set<Buffer>();
  let last: Promise<void> = Promise.resolve();
  let committing = false;

  function room(): Buffer {
    const buffer = take();
    taken.add(buffer);
    return buffer;
  }
  function drop(buffer: Buffer): void {
    if (taken.delete(buffer)) giveBack(buffer);
  }

  const begin = (): Promise<string> =>
    (upload ??= client
      .ask({ method: 'POST', key, query: { uploads: '' } }, { check: hasId })
      .then(({ body }) => idIn(body)));
  const idIn = (body: Buffer): string => textOf(body.toString(), 'UploadId');
  function hasId({ body }: { body: Buffer }): void {
    if (idIn(body) === '') throw client.again('an upload began without an id');
  }

  async function sendPart(partNumber: number, body: Buffer[]): Promise<void> {
    const uploadId = await begin();
    const query = { partNumber: String(partNumber), uploadId };
    const { headers } = await client.ask(
      { method: 'PUT', key, query, body },
      {
        check({ headers: { etag } }) {
          if (!etag) throw client.again('a part was taken without a tag');
        },
      },
    );
    tags.set(partNumber, headers.etag!);
  }

  /** Starts to send a full part; waits if enough parts are being sent. */
  async function send(full: Buffer): Promise<void> {
    if (number > PARTS_MAX) throw new RangeError('the object is larger than S3 takes');
    const partNumber = number;
    const sending = sendPart(partNumber, [full])
      .catch((error: unknown) => {
        failure ??= error;
      })
      .finally(() => {
        drop(full);
        away.delete(sending);
      });
    away.add(sending);
    while (away.size >= (held > MEMORY ? 1 : AWAY)) await Promise.race(away);
  }

  async function append(buffers: Buffer[]): Promise<void> {
    for (const buffer of buffers) {
      for (let offset = 0; offset < buffer.length;) {
        if (failure) throw failure;
        part ??= room();
        // A full part is sent when more bytes follow: until then it may be the last.
        if (filled === PART_BYTES) {
          if (number === 1) first = part;
          else await send(part);
          number += 1;
          part = room();
          filled = 0;
        }
        const copied = buffer.copy(part, filled, offset);
        filled += copied;
        offset += copied;
      }
    }
  }

  async function complete(): Promise<void> {
    const uploadId = await begin();
    const parts = Array.from(
      { length: number },
      (_, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tags.get(index + 1)}</ETag></Part>`,
    );
    const body = [Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)];
    try {
      await client.ask(
        { method: 'POST', key, query: { uploadId }, body },
        {
          check({ body: said }) {
            if (!said.includes('CompleteMultipartUploadResult'))
              throw client.again('the parts were not joined');
          },
        },
      );
    } catch (error) {
      // If only the response was lost, the upload is complete and the object exists.
      const gone = (error as { code?: string }).code === 'NoSuchUpload';
      if (!gone || (await client.ask({ method: 'HEAD', key }, { missing: true })).status !== 200) throw error;
    }
  }

  function free(): void {
    for (const buffer of taken) drop(buffer);
  }

  /** Deletes what was stored; what cannot be deleted now, the sweep removes. */
  async function clean(): Promise<void> {
    try {
      const uploadId = await upload?.catch(() => undefined);
      if (uploadId !== undefined)
        await client.ask({ method: 'DELETE', key, query: { uploadId } }, { missing: true });
      // After a failed completion it is unknown whether the object exists.
      if (committing) await client.ask({ method: 'DELETE', key }, { missing: true });
    } catch {
      // As said above.
    }
  }

  return {
    write(buffers) {
      const turn = last.then(() => append(buffers));
      last = turn;
      return turn;
    },
    async commit(head, tail) {
      if (head.length !== headBytes) throw new RangeError('the head has another length than announced');
      await last;
      await append(tail);
      committing = true;
      const beginning = first ?? part;
      if (beginning) head.copy(beginning);
      if (!upload && number <= 2) {
        const rest = first ? [first, part!.subarray(0, filled)] : [part?.subarray(0, filled) ?? head];
        await client.ask({ method: 'PUT', key, body: rest });
      } else {
        const ending = part!.subarray(0, filled);
        const sent = await Promise.allSettled([sendPart(1, [first!]), sendPart(number, [ending]), ...away]);
        const failed = sent.find((result) => result.status === 'rejected');
        if (failed ?? failure) throw failed ? failed.reason : failure;
        await complete();
      }
      free();
    },
    async abort() {
      await last.catch(() => {});
      await Promise.all(away);
      const cleaned = clean().finally(free);
      // Whoever stores a file does not wait for a server that was given up.
      if (!client.isAway()) await cleaned;
    },
  };
}
