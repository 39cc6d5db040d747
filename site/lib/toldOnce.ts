/** The query parameters by which a page for outside visitors tells what has become of what they sent. */
const TOLD_ONCE = ['said', 'n', 'row', 'file', 'refused', 'more'];
/** Values of `said` that are a step of the page, which asks for the code that was sent. */
const STEPS = ['sent', 'code'];

/** The query without what is told once, `?` included; '' if nothing is left. */
export function queryWithoutTold(searchParams: URLSearchParams, more: Record<string, string> = {}): string {
  const kept = [...searchParams].filter(
    ([name, value]) => !TOLD_ONCE.includes(name) || (name === 'said' && STEPS.includes(value)),
  );
  const query = new URLSearchParams(kept);
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return query.size > 0 ? `?${query}` : '';
}
