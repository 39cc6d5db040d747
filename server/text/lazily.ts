/**
 * Creates a value on first use, for values that would slow down the start, such as the first formatter of a process.
 * `made` is the value once it is created, and undefined before.
 */
export function lazily<T>(make: () => T): (() => T) & { readonly made: T | undefined } {
  let cached: { value: T } | undefined;
  const get = () => (cached ??= { value: make() }).value;
  return Object.defineProperty(get, 'made', { get: () => cached?.value }) as typeof get & {
    made: T | undefined;
  };
}
