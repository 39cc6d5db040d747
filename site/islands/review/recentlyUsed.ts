export interface RecentlyUsed<Key, Value> {
  /** Reading a value counts as use. */
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
}

/** A cache of so many values; one more pushes out that which was not used for longest, with a call of `onRemoved`. */
export function recentlyUsed<Key, Value>(
  max: number,
  onRemoved: (value: Value) => void,
): RecentlyUsed<Key, Value> {
  // A map keeps the order in which its keys were added.
  const values = new Map<Key, Value>();
  const add = (key: Key, value: Value) => {
    values.delete(key);
    values.set(key, value);
  };
  return {
    get(key) {
      const value = values.get(key);
      if (value !== undefined) add(key, value);
      return value;
    },
    set(key, value) {
      add(key, value);
      const [oldest] = values;
      if (values.size <= max || !oldest) return;
      values.delete(oldest[0]);
      onRemoved(oldest[1]);
    },
    delete: (key) => void values.delete(key),
  };
}
