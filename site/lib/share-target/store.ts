/** What other apps may share with this one, as the manifest says it. */
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

/** Where shared files go. */
export interface ShareTarget {
  client: { id: string; name: string } | null;
  folder: { id: number; name: string } | null;
}

/** A file that another app has shared, kept by the service worker until it is sent. */
export interface SharedFile {
  /** Also the key of its upload: one whose answer was lost is not sent twice. */
  key: string;
  file: File;
  /** Whose it is; null until somebody signs in, where nobody was. */
  owner: number | null;
  /** Who was signed in last before it came; null for nobody. */
  last: number | null;
  /** What came with one click. */
  batch: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Where it goes, once that is chosen: from then on it is sent as soon as it can be. */
  target?: ShareTarget;
}

/** Also in the worker. */
const NAME = 'almirah-shared';
const STORES = ['files', 'people'] as const;

const asked = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The browser keeps nothing.')));
  });

async function store<T>(work: (files: IDBObjectStore, people: IDBObjectStore) => Promise<T>): Promise<T> {
  const request = indexedDB.open(NAME, 1);
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore('files', { keyPath: 'key' });
    request.result.createObjectStore('people');
  });
  const db = await asked(request);
  try {
    const transaction = db.transaction(STORES, 'readwrite');
    return await work(transaction.objectStore('files'), transaction.objectStore('people'));
  } finally {
    db.close();
  }
}

/** Whether anything can have been shared here; it is asked on every screen, and must not begin to keep anything. */
export const hasStore = async (): Promise<boolean> =>
  ((await globalThis.indexedDB?.databases?.()) ?? []).some(({ name }) => name === NAME);

/** Notes who is signed in: what is shared from now on is theirs, also after their session has ended. */
export const saveSignedInUser = (userId: number): Promise<void> =>
  store(async (_files, people) => void (await asked(people.put({ userId, signedIn: true }, 'last'))));

/**
 * Whether a file that came while nobody was signed in is this person's: they signed in where it was shared, by the
 * address that names its batch, or were the last who had been.
 */
const claims = (one: SharedFile, userId: number, batch: string | null): boolean =>
  one.owner === null && (one.last === null || one.last === userId || one.batch === batch);

/** What waits for this person, the oldest first, and how many files wait for others. */
export const pendingFiles = (
  userId: number,
  batch: string | null = null,
): Promise<{ own: SharedFile[]; others: number }> =>
  store(async (files) => {
    const all = (await asked(files.getAll())) as SharedFile[];
    const own: SharedFile[] = [];
    for (const one of all) {
      if (one.owner === userId) own.push(one);
      else if (claims(one, userId, batch)) {
        const mine = { ...one, owner: userId };
        await asked(files.put(mine));
        own.push(mine);
      }
    }
    return { own: own.toSorted((a, b) => a.at - b.at), others: all.length - own.length };
  });

/** Keeps where files go, or with undefined that it is to be chosen anew. */
export const setTarget = (keys: readonly string[], to: ShareTarget | undefined): Promise<void> =>
  store(async (files) => {
    for (const key of keys) {
      const { target: _before, ...one } = ((await asked(files.get(key))) ?? {}) as Partial<SharedFile>;
      if (one.key !== undefined) await asked(files.put(to ? { ...one, to } : one));
    }
  });

export const removeFile = (key: string): Promise<void> =>
  store(async (files) => void (await asked(files.delete(key))));

/** At sign-out: nothing of this person stays on the phone, and what is shared next waits for a sign-in. */
export const removeUserFiles = async (userId: number): Promise<void> => {
  if (!(await hasStore())) return;
  await store(async (files, people) => {
    for (const one of (await asked(files.getAll())) as SharedFile[])
      if (one.owner === userId) await asked(files.delete(one.key));
    await asked(people.put({ userId, signedIn: false }, 'last'));
  });
};

/** Whether this browser can be an app that files are shared with: a phone's, or one where it is installed. */
const canBeOffered = (): boolean =>
  'onbeforeinstallprompt' in window && matchMedia('(pointer: coarse), (display-mode: standalone)').matches;

/**
 * Lets the worker take what is shared from now on; it may run for the page of shared files alone. Begun on every screen of
 * a phone, so that it is there before the app can be installed.
 */
export async function registerShareWorker(userId: number, always = canBeOffered()): Promise<void> {
  // Without HTTPS the browser has none.
  if (!always || !navigator.serviceWorker) return;
  await navigator.serviceWorker.register('/share-worker.js', { scope: '/share' });
  await saveSignedInUser(userId);
}
