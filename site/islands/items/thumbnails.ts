/** Pictures asked for at once: a browser keeps six connections to one server, and the others are for what people click. */
const AT_ONCE = 2;

interface Waiting {
  begin: () => void;
}

const known = new Map<string, 'there' | 'none'>();
const waiting: Waiting[] = [];
let loading = 0;

function next(): void {
  // What came into view last is looked at now.
  const one = loading < AT_ONCE ? waiting.pop() : undefined;
  if (!one) return;
  loading += 1;
  one.begin();
}

/** Whether this content's picture was shown before, or is known not to exist; undefined when nobody has asked. */
export const knownThumbnail = (content: string): 'there' | 'none' | undefined => known.get(content);

/** To be told how the picture came out; frees its turn. It is remembered, for a content never changes. */
export function settleThumbnail(content: string, outcome: 'there' | 'none'): void {
  if (known.has(content)) return;
  known.set(content, outcome);
  loading -= 1;
  next();
}

/** Calls `begin` when it is this picture's turn. @returns what gives the place in the queue up, for what left the view. */
export function queueThumbnail(content: string, begin: () => void): () => void {
  let begun = false;
  const one = {
    begin: () => {
      begun = true;
      begin();
    },
  };
  waiting.push(one);
  next();
  return () => {
    const at = waiting.indexOf(one);
    if (at >= 0) waiting.splice(at, 1);
    // A picture that leaves the page while it loads will not tell how it came out.
    else if (begun && !known.has(content)) {
      loading -= 1;
      next();
    }
  };
}
