import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listed } from '#storage/conformance.ts';
import { deriveMasterKey } from '#storage/masterkey.ts';
import { createMemoryBytes } from '#storage/memory.ts';
import { createSealedBlobs } from '#storage/sealed.ts';
import { ArchiveRefused } from './refusal.ts';
import { hostileCases } from './testing/hostile.ts';
import { soundCases } from './testing/sound.ts';
import { unpackAll } from './testing/tree.ts';

// FUZZ_SECONDS lengthens the run, FUZZ_SEED repeats one.
/** Of so many each outcome is among them, also where a slow machine reads fewer in the time. */
const LEAST_MUTANTS = 500;
const SECONDS = Number(process.env.FUZZ_SECONDS ?? 4);
const SEED = Number(process.env.FUZZ_SEED ?? randomBytes(4).readUInt32LE());
const MAX_BYTES = 200_000;

/** Numbers from 0 up to `below`, the same for the same seed (mulberry32). */
function createDice(seed: number): (below: number) => number {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) % below;
  };
}

const SIGNATURES = [0x04034b50, 0x02014b50, 0x06054b50, 0x06064b50, 0x07064b50, 0x08074b50];
const NUMBERS = [0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff];

/** A few changes, mostly where the records are. */
function mutate(archive: Buffer, dice: (below: number) => number, others: readonly Buffer[]): Buffer {
  let bytes = Buffer.from(archive);
  const records = SIGNATURES.flatMap((signature) => {
    const mark = Buffer.alloc(4);
    mark.writeUInt32LE(signature);
    const offset = bytes.indexOf(mark);
    return offset < 0 ? [] : [offset, bytes.lastIndexOf(mark)];
  });
  for (let changes = 1 + dice(4); changes > 0 && bytes.length > 8; changes -= 1) {
    const record = records.length > 0 && dice(4) > 0 ? records[dice(records.length)]! : dice(bytes.length);
    const offset = Math.min(bytes.length - 8, record + dice(64));
    switch (dice(8)) {
      case 0:
        bytes[offset]! ^= 1 << dice(8);
        break;
      case 1:
        bytes.writeUInt16LE(NUMBERS[dice(6)]!, offset);
        break;
      case 2:
        bytes.writeUInt32LE(NUMBERS[dice(NUMBERS.length)]!, offset);
        break;
      case 3:
        bytes = bytes.subarray(0, 8 + dice(bytes.length - 8));
        break;
      case 4:
        bytes = Buffer.concat([bytes.subarray(0, offset), randomBytes(1 + dice(40)), bytes.subarray(offset)]);
        break;
      case 5:
        bytes = Buffer.concat([
          bytes.subarray(0, offset),
          bytes.subarray(Math.min(bytes.length, offset + 1 + dice(80))),
        ]);
        break;
      case 6:
        bytes.writeUInt32LE(SIGNATURES[dice(SIGNATURES.length)]!, offset);
        break;
      default:
        bytes = Buffer.concat([bytes, others[dice(others.length)]!]);
    }
  }
  return bytes;
}

const test = suite('any bytes at all');

test(`are unpacked or refused in words, and leave nothing behind (seed ${SEED})`, async () => {
  const blobs = createSealedBlobs(createMemoryBytes(), deriveMasterKey(randomBytes(32)));
  const seeds = [...soundCases, ...hostileCases]
    .map(({ make, password }) => ({ archive: make(), password }))
    .filter(({ archive }) => archive.length < MAX_BYTES && archive.length > 8);
  const archives = seeds.map(({ archive }) => archive);
  const dice = createDice(SEED);
  const until = performance.now() + SECONDS * 1000;
  const outcomes = new Map<string, number>();
  for (let n = 0; n < LEAST_MUTANTS || performance.now() < until; n += 1) {
    const { archive, password } = seeds[dice(seeds.length)]!;
    const mutant = mutate(archive, dice, archives);
    const outcome = await unpackAll(blobs, mutant, password).then(
      () => 'unpacked',
      (error: unknown) => {
        assert.instance(error, ArchiveRefused, `${(error as Error).stack}\n${mutant.toString('base64')}`);
        assert.ok((error as Error).message.length > 20);
        return (error as ArchiveRefused).code;
      },
    );
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  assert.equal(await listed(blobs), []);
  assert.ok(outcomes.has('unpacked') && outcomes.has('damaged') && outcomes.size > 3);
  if (process.env.FUZZ_SECONDS) process.stdout.write(`${JSON.stringify(Object.fromEntries(outcomes))}\n`);
});

test.run();
