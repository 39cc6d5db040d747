/** The query parameters by which a page for outside visitors tells what has become of what they sent. */
const TOLD_ONCE = ['said', 'n', 'row', 'file', 'refused', 'more'];
/** Values of `said` that are a step of the page, which asks for the code that was sent, of which `n` were wrong. */
const STEPS = ['sent', 'code'];

/** The query without what is told once, `?` included; '' if nothing is left. */
export function queryWithoutTold(searchParams: URLSearchParams, more: Record<string, string> = {}): string {
  const ofStep = STEPS.includes(searchParams.get('said') ?? '') ? ['said', 'n'] : [];
  const kept = [...searchParams].filter(([name]) => !TOLD_ONCE.includes(name) || ofStep.includes(name));
  const query = new URLSearchParams(kept);
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return query.size > 0 ? `?${query}` : '';
}
