import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { writeDurably } from '#storage/durable.ts';
import type { UpdateView } from './contract.ts';
import { isVersion } from './versions.ts';

/** Folder within the data folder for the state of an update. */
export const UPDATE_FOLDER = 'update';
const FILE = 'record.json';

const version = v.pipe(v.string(), v.check(isVersion));

const schema = v.object({
  from: version,
  to: version,
  /**
   * `trying`: the new version opens the data folder in a trial that nobody can reach. `switching`: the trial
   * succeeded, and it becomes the current version. `watching`: it runs and is being watched. `returning`: the
   * previous version is being put back. `done` and `back`: finished.
   */
  step: v.picklist(['trying', 'switching', 'watching', 'returning', 'done', 'back']),
  /** Whether reverting has to restore the database as well. */
  database: v.boolean(),
  began_at: v.string(),
  ended_at: v.nullable(v.string()),
  why: v.nullable(v.string()),
});

export type UpdateRecord = v.InferOutput<typeof schema>;

/** Null when there was no update yet. @throws when the file is not a valid record. */
async function readRecord(dataDir: string): Promise<UpdateRecord | null> {
  const file = join(dataDir, UPDATE_FOLDER, FILE);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const parsed = v.safeParse(schema, JSON.parse(text));
  if (parsed.success) return parsed.output;
  throw new Error(`${file} is not the record of an update. Move it away and try again.`);
}

async function writeRecord(dataDir: string, record: UpdateRecord): Promise<void> {
  const folder = join(dataDir, UPDATE_FOLDER);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeDurably(join(folder, FILE), `${JSON.stringify(record, null, 1)}\n`);
}

/** Reads and writes the record of a data folder. */
export interface Records {
  read(): Promise<UpdateRecord | null>;
  write(record: UpdateRecord): Promise<void>;
}

export const recordsOf = (dataDir: string): Records => ({
  read: () => readRecord(dataDir),
  write: (record) => writeRecord(dataDir, record),
});

export const isUnderWay = ({ step }: UpdateRecord): boolean => step !== 'done' && step !== 'back';

export const viewOf = (record: UpdateRecord): UpdateView => ({
  from: record.from,
  to: record.to,
  outcome: record.step === 'done' || record.step === 'back' ? record.step : 'underway',
  at: record.ended_at ?? record.began_at,
  why: record.why,
});
