/**
 * What takes long to make, such as the first formatter of a process, made when it is first asked for and not at each
 * start. `made` is it, once it is.
 */
export function lazily<T>(make: () => T): (() => T) & { readonly made: T | undefined } {
  let kept: { value: T } | undefined;
  const ask = () => (kept ??= { value: make() }).value;
  return Object.defineProperty(ask, 'made', { get: () => kept?.value }) as typeof ask & {
    made: T | undefined;
  };
}
