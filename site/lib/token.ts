const KEY = 'ca_token';

/** The bearer token in local storage, shared by all tabs; null where the browser forbids storage. */
export const token = {
  key: KEY,
  get(): string | null {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  },
  set(value: string): void {
    try {
      localStorage.setItem(KEY, value);
    } catch {
      // Without storage the session cookie alone authenticates.
    }
  },
  clear(): void {
    try {
      localStorage.removeItem(KEY);
    } catch {
      // Without storage there is nothing to clear.
    }
  },
};
