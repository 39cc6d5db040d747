/** Pictures asked for at once: a browser keeps six connections to one server, and the others are for what people click. */
const AT_ONCE = 2;

interface Waiting {
  begin: () => void;
}

const known = new Map<number, 'there' | 'none'>();
const waiting: Waiting[] = [];
let loading = 0;

function next(): void {
  // What came into view last is looked at now.
  const one = loading < AT_ONCE ? waiting.pop() : undefined;
  if (!one) return;
  loading += 1;
  one.begin();
}

/** Whether this item's picture was shown before, or is known not to exist; undefined when nobody has asked. */
export const knownThumbnail = (id: number): 'there' | 'none' | undefined => known.get(id);

/** To be told how the picture came out; frees its turn. A content never changes under an id, so it is remembered. */
export function settleThumbnail(id: number, outcome: 'there' | 'none'): void {
  if (known.has(id)) return;
  known.set(id, outcome);
  loading -= 1;
  next();
}

/** Calls `begin` when it is this picture's turn. @returns what gives the place in the queue up, for what left the view. */
export function queueThumbnail(id: number, begin: () => void): () => void {
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
    else if (begun && !known.has(id)) {
      loading -= 1;
      next();
    }
  };
}
