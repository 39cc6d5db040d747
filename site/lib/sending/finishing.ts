/** Typed but unsent reasons why a document is missing. */
const typedReasons = (within: ParentNode = document): HTMLTextAreaElement[] =>
  Array.from(within.querySelectorAll<HTMLTextAreaElement>('[data-row] textarea[name=reason]')).filter(
    ({ value }) => value.trim() !== '',
  );

/** The number of rows without a document and without a reason. */
function countOpenRows(within: ParentNode = document): number {
  const rowsWithReason = new Set(typedReasons(within).map((field) => field.closest('[data-row]')));
  return Array.from(within.querySelectorAll('[data-row][data-open]')).filter(
    (row) => !rowsWithReason.has(row),
  ).length;
}

/** Sends a reason to the office. @returns whether it arrived. */
async function sendReason({ form }: HTMLTextAreaElement): Promise<boolean> {
  if (!form) return true;
  const body = new URLSearchParams(Array.from(new FormData(form), ([key, value]) => [key, String(value)]));
  const response = await fetch(form.action, { method: 'POST', body }).catch(() => null);
  return response !== null && response.ok && !new URL(response.url).searchParams.has('said');
}

async function confirmFinish(dialog: HTMLDialogElement, openRows: number): Promise<boolean> {
  if (openRows === 0) return true;
  const forms = JSON.parse(dialog.dataset['question'] ?? '{}') as { one: string; other: string };
  dialog.querySelector('p')!.textContent = (openRows === 1 ? forms.one : forms.other).replace(
    '{n}',
    String(openRows),
  );
  dialog.returnValue = '';
  dialog.showModal();
  await new Promise((resolve) => {
    dialog.addEventListener('close', resolve, { once: true });
  });
  return dialog.returnValue === 'finish';
}

/**
 * Sends all typed reasons along with any form, so that none is lost. Finishing with open rows asks for confirmation first.
 */
export function enhanceFinishing(): void {
  const dialog = document.querySelector<HTMLDialogElement>('#finishing');
  if (!dialog) return;
  let isSubmitting = false;
  async function finish(form: HTMLFormElement): Promise<void> {
    if ('done' in form.dataset && !(await confirmFinish(dialog!, countOpenRows()))) return;
    const others = typedReasons().filter((field) => field.form !== form);
    const sent = await Promise.all(others.map(sendReason));
    isSubmitting = true;
    // If a reason did not arrive, submit its own form, so that the page shows the error.
    (others.find((_, index) => !sent[index])?.form ?? form).submit();
  }
  // Delegated to the document, since parts of the page are replaced when a file has arrived.
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (form.method !== 'post') return;
    event.preventDefault();
    if (!isSubmitting) void finish(form);
  });
  addEventListener('pageshow', () => (isSubmitting = false));
  addEventListener('beforeunload', (event) => {
    if (!isSubmitting && typedReasons().length > 0) event.preventDefault();
  });
}
