/** What is typed why a document is not there, by a form that has not been sent. */
const typedReasons = (within: ParentNode = document): HTMLTextAreaElement[] =>
  Array.from(within.querySelectorAll<HTMLTextAreaElement>('[data-row] textarea[name=reason]')).filter(
    ({ value }) => value.trim() !== '',
  );

/** Rows of which nothing has come and nothing is said. */
function openRows(within: ParentNode = document): number {
  const told = new Set(typedReasons(within).map((field) => field.closest('[data-row]')));
  return Array.from(within.querySelectorAll('[data-row][data-open]')).filter((row) => !told.has(row)).length;
}

/** Tells the office why a document is not there. @returns false where that did not arrive. */
async function tellReason({ form }: HTMLTextAreaElement): Promise<boolean> {
  if (!form) return true;
  const body = new URLSearchParams(Array.from(new FormData(form), ([key, value]) => [key, String(value)]));
  const answered = await fetch(form.action, { method: 'POST', body }).catch(() => null);
  return answered !== null && answered.ok && !new URL(answered.url).searchParams.has('said');
}

async function agreed(dialog: HTMLDialogElement, open: number): Promise<boolean> {
  if (open === 0) return true;
  const forms = JSON.parse(dialog.dataset['question'] ?? '{}') as { one: string; other: string };
  dialog.querySelector('p')!.textContent = (open === 1 ? forms.one : forms.other).replace(
    '{n}',
    String(open),
  );
  dialog.returnValue = '';
  dialog.showModal();
  await new Promise((resolve) => {
    dialog.addEventListener('close', resolve, { once: true });
  });
  return dialog.returnValue === 'finish';
}

/**
 * Nothing that was typed is lost: who finishes tells the reasons along with it, and is asked first whether the rest is to stay
 * open; who sends one reason tells the others too.
 */
export function enhanceFinishing(): void {
  const dialog = document.querySelector<HTMLDialogElement>('#finishing');
  if (!dialog) return;
  let going = false;
  async function finish(form: HTMLFormElement): Promise<void> {
    if ('done' in form.dataset && !(await agreed(dialog!, openRows()))) return;
    const others = typedReasons().filter((field) => field.form !== form);
    const told = await Promise.all(others.map(tellReason));
    going = true;
    // Where a reason did not arrive, its own form is sent: the page then says why.
    (others.find((_, at) => !told[at])?.form ?? form).submit();
  }
  // On the document, as the parts of the page are drawn anew when something has arrived.
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (form.method !== 'post') return;
    event.preventDefault();
    if (!going) void finish(form);
  });
  addEventListener('pageshow', () => (going = false));
  addEventListener('beforeunload', (event) => {
    if (!going && typedReasons().length > 0) event.preventDefault();
  });
}
