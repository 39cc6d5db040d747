/** The result of a request to IndexedDB. */
export const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The browser keeps nothing.')));
  });

/** Runs `work` in one transaction of a database, which `create` gives its stores when it is new. */
export async function transact<T>(
  { name, stores, create }: { name: string; stores: readonly string[]; create: (db: IDBDatabase) => void },
  work: (...stores: IDBObjectStore[]) => Promise<T>,
): Promise<T> {
  const request = indexedDB.open(name, 1);
  request.addEventListener('upgradeneeded', () => create(request.result));
  const db = await resultOf(request);
  try {
    const transaction = db.transaction(stores, 'readwrite');
    return await work(...stores.map((store) => transaction.objectStore(store)));
  } finally {
    db.close();
  }
}
