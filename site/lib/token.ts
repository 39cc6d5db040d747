const KEY = 'ca_token';

/** The bearer token, where every tab of the browser finds it. Storage can be forbidden: then there is none. */
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
      // The session cookie carries on alone.
    }
  },
  clear(): void {
    try {
      localStorage.removeItem(KEY);
    } catch {
      // Nothing was kept.
    }
  },
};
