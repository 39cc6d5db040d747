type Child = Node | string | null | false | undefined;
type Props = Record<string, string | boolean | number | null | undefined | ((event: never) => unknown)>;

/** Creates an element. Functions become listeners, `true` sets an attribute, and absent values are skipped. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, String(value));
  }
  element.append(...children.filter((one): one is Node | string => Boolean(one)));
  return element;
}

/** Changes a text only when it differs, so that screen readers do not repeat it. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Characters at the end of a name that are never cut: they distinguish scans, and contain the extension. */
const TAIL = 12;
/** A name that is cut in the middle when there is too little room; for an element of the class `cut`. */
export function cutInMiddle(name: string): Child[] {
  const letters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
  const at = Math.max(0, letters.length - TAIL);
  return [h('span', {}, letters.slice(0, at).join('')), h('span', {}, letters.slice(at).join(''))];
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];
export function bytes(size: number): string {
  let [value, unit] = [size, 0];
  while (value >= 1024 && unit < UNITS.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${Number(value.toFixed(unit === 0 || value >= 100 ? 0 : 1))} ${UNITS[unit]}`;
}
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
}
export const count = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString('en-IN')} ${n === 1 ? one : many}`;

/** Calls the program's API. @throws with a message for the user. */
export async function ask<T = unknown>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      ...(body !== undefined && {
        body: body instanceof Blob ? body : JSON.stringify(body),
      }),
    });
  } catch {
    throw new Error('Almirah Uploader has ended. Start it again.');
  }
  const answer = (await response.json().catch(() => ({}))) as { data?: T; message?: string };
  if (!response.ok) throw new Error(answer.message ?? 'This did not work. Please try again.');
  return answer.data as T;
}

/** Shows an error at the bottom of the window until the next one. */
export function tell(error: unknown): void {
  const place = document.querySelector('#told')!;
  say(place, error instanceof Error ? error.message : String(error));
  place.toggleAttribute('hidden', place.textContent === '');
}
/** Runs the action of a button, which is disabled meanwhile. */
export const doing =
  (work: () => Promise<unknown>) =>
  async (event: Event): Promise<void> => {
    const button = event.currentTarget as HTMLButtonElement | null;
    if (button) button.disabled = true;
    tell('');
    try {
      await work();
    } catch (error) {
      tell(error);
    } finally {
      if (button) button.disabled = false;
    }
  };
