import { resultOf, transact as transactIn } from '../indexedDb.ts';

/** MIME types that the web app manifest's share target accepts. */
export const SHARED_TYPES = [
  'image/*',
  'video/*',
  'application/pdf',
  'application/zip',
  'application/x-zip-compressed',
  'text/*',
  'message/rfc822',
  'application/vnd.ms-outlook',
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/json',
  'application/xml',
  'application/octet-stream',
];

/** The destination of shared files. */
export interface ShareTarget {
  client: { id: string; name: string } | null;
  folder: { id: number; name: string } | null;
}

/** A file shared by another app, stored by the service worker until it is uploaded. */
export interface SharedFile {
  /** Also the upload's idempotency key: an upload whose response was lost is not repeated. */
  key: string;
  file: File;
  /** The user id; null for a file shared while nobody was signed in, until a user claims it. */
  owner: number | null;
  /** The user last signed in before the share; null for none. */
  last: number | null;
  /** Shared by all files of one share action. */
  batch: string;
  /** Milliseconds since 1970. */
  at: number;
  /** The chosen destination, stored under this name by every version. Once it is set, the file is uploaded as soon as possible. */
  to?: ShareTarget;
}

/** The same in worker.js. */
const DATABASE = 'almirah-shared';
const create = (db: IDBDatabase): void => {
  db.createObjectStore('files', { keyPath: 'key' });
  db.createObjectStore('people');
};

const transact = <T>(work: (files: IDBObjectStore, people: IDBObjectStore) => Promise<T>): Promise<T> =>
  transactIn({ name: DATABASE, stores: ['files', 'people'], create }, (files, people) =>
    work(files!, people!),
  );

/** Whether the database exists. Called on every screen, so it must not create the database. */
export const hasStore = async (): Promise<boolean> =>
  ((await globalThis.indexedDB?.databases?.()) ?? []).some(({ name }) => name === DATABASE);

/** Stores who is signed in, for the worker: files shared from now on belong to them, even after their session expires. */
export const saveSignedInUser = (userId: number): Promise<void> =>
  transact(async (_files, people) => void (await resultOf(people.put({ userId, signedIn: true }, 'last'))));

/**
 * Whether a file shared while nobody was signed in can be claimed by this user: they were the last one signed in, nobody
 * was, or they signed in at the URL that names the file's batch.
 */
const isClaimable = (file: SharedFile, userId: number, batch: string | null): boolean =>
  file.owner === null && (file.last === null || file.last === userId || file.batch === batch);

/** The user's stored files, oldest first, and the number of other users' files. Claims files without an owner. */
export const pendingFiles = (
  userId: number,
  batch: string | null = null,
): Promise<{ own: SharedFile[]; others: number }> =>
  transact(async (files) => {
    const all = (await resultOf(files.getAll())) as SharedFile[];
    const own: SharedFile[] = [];
    for (const file of all) {
      if (file.owner === userId) own.push(file);
      else if (isClaimable(file, userId, batch)) {
        const claimed = { ...file, owner: userId };
        await resultOf(files.put(claimed));
        own.push(claimed);
      }
    }
    return { own: own.toSorted((a, b) => a.at - b.at), others: all.length - own.length };
  });

/** Stores the files' destination; undefined clears it. */
export const setTarget = (keys: readonly string[], to: ShareTarget | undefined): Promise<void> =>
  transact(async (files) => {
    for (const key of keys) {
      const { to: _before, ...file } = ((await resultOf(files.get(key))) ?? {}) as Partial<SharedFile>;
      if (file.key !== undefined) await resultOf(files.put(to ? { ...file, to } : file));
    }
  });

export const removeFile = (key: string): Promise<void> =>
  transact(async (files) => void (await resultOf(files.delete(key))));

/** Sign-out: deletes the user's files from the device; files shared from now on have no owner until the next sign-in. */
export const removeUserFiles = async (userId: number): Promise<void> => {
  if (!(await hasStore())) return;
  await transact(async (files, people) => {
    for (const file of (await resultOf(files.getAll())) as SharedFile[])
      if (file.owner === userId) await resultOf(files.delete(file.key));
    await resultOf(people.put({ userId, signedIn: false }, 'last'));
  });
};

/** Whether the site can be installed as a share target here: on a phone, or where it is already installed. */
const canBeShareTarget = (): boolean =>
  'onbeforeinstallprompt' in window && matchMedia('(pointer: coarse), (display-mode: standalone)').matches;

/**
 * Registers the service worker that receives shared files; its scope is the page of shared files only. Called on every
 * screen of a phone, so that the worker is there before the app is installed.
 */
export async function registerShareWorker(userId: number, always = canBeShareTarget()): Promise<void> {
  // Browsers provide service workers only over HTTPS.
  if (!always || !navigator.serviceWorker) return;
  await navigator.serviceWorker.register('/share-worker.js', { scope: '/share' });
  await saveSignedInUser(userId);
}
