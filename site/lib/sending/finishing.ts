import { pauseOrOnline } from './binding.ts';
import { missingFiles, removeMissing } from './progress-lines.ts';
import { hasUnsent, retryButtons, retryFailed, sendChosen } from './rows.ts';
import { fillTemplate } from './texts.ts';

/** Typed but unsent reasons why a document is missing. */
const typedReasons = (within: ParentNode = document): HTMLTextAreaElement[] =>
  Array.from(within.querySelectorAll<HTMLTextAreaElement>('[data-row] textarea[name=reason]')).filter(
    ({ value }) => value.trim() !== '',
  );

/** The names of documents without a file and without a reason; the list may not know yet of a file that has just arrived. */
function openRows(within: ParentNode = document): string[] {
  const rowsWithReason = new Set(typedReasons(within).map((field) => field.closest('[data-row]')));
  return Array.from(within.querySelectorAll('[data-row][data-open]'))
    .filter((row) => !rowsWithReason.has(row) && !row.querySelector('[data-arrived]'))
    .map((row) => row.querySelector('h2')?.textContent.trim() ?? '');
}

/** Sends a reason to the office. @returns whether it arrived. */
async function sendReason({ form }: HTMLTextAreaElement): Promise<boolean> {
  if (!form) return true;
  const body = new URLSearchParams(Array.from(new FormData(form), ([key, value]) => [key, String(value)]));
  const response = await fetch(form.action, { method: 'POST', body }).catch(() => null);
  return response !== null && response.ok && !new URL(response.url).searchParams.has('said');
}

/** The names that a question lists; of more it gives the number. */
const MAX_NAMES = 3;

function createItem(text: string): HTMLLIElement {
  const item = document.createElement('li');
  item.textContent = text;
  return item;
}

/** Asks before the page is left with files that have not arrived, or else with documents that are still open. */
async function confirmFinish(dialog: HTMLDialogElement): Promise<boolean> {
  const missing = missingFiles().map(({ name }) => name);
  const names = missing.length > 0 ? missing : openRows();
  const n = names.length;
  if (n === 0) return true;
  const { failed, question, more = '' } = dialog.dataset;
  const forms = JSON.parse((missing.length > 0 ? failed : question) ?? '{}') as Record<string, string>;
  dialog.querySelector('p')!.textContent = fillTemplate(forms[n === 1 ? 'one' : 'other'] ?? '', { n });
  const named = names.slice(0, MAX_NAMES);
  const others = n > MAX_NAMES ? [fillTemplate(more, { n: n - MAX_NAMES })] : [];
  dialog.querySelector('ul')!.replaceChildren(...[...named, ...others].map(createItem));
  dialog.returnValue = '';
  dialog.showModal();
  await new Promise((resolve) => {
    dialog.addEventListener('close', resolve, { once: true });
  });
  if (dialog.returnValue !== 'finish') return false;
  // The page need not say again what the client has agreed to.
  removeMissing();
  return true;
}

/** The form in the page of now: rows are replaced when a file has arrived. */
const present = ({ action }: HTMLFormElement): HTMLFormElement | undefined =>
  Array.from(document.forms).find((form) => form.action === action);

/**
 * Sends the chosen photographs and waits for files that are being sent, while the button says so.
 * @returns the form to submit; undefined when a file can be tried again, which its row says, or when the form has gone. Finishing tries
 * failed files again, and asks about them.
 */
async function sendFilesFirst(form: HTMLFormElement, waiting: string): Promise<HTMLFormElement | undefined> {
  const finishes = 'done' in form.dataset;
  if (finishes) retryFailed();
  if (!hasUnsent()) return present(form);
  const button = form.querySelector('button');
  const label = button?.textContent;
  if (button) {
    button.textContent = waiting;
    button.ariaBusy = 'true';
  }
  const settled = await sendChosen();
  if (button) {
    button.textContent = label ?? '';
    button.ariaBusy = null;
  }
  if (settled || finishes) return present(form);
  retryButtons()[0]?.scrollIntoView({ block: 'center' });
  return undefined;
}

const isReachable = (): Promise<boolean> =>
  fetch(location.pathname, { method: 'HEAD' }).then(
    () => true,
    () => false,
  );

/** Waits for a network, which the form says: the browser's own page about it would take the place of this one. */
async function waitForNetwork(form: HTMLFormElement, offline: string): Promise<void> {
  if (navigator.onLine) return;
  const note = document.createElement('p');
  note.role = 'alert';
  note.className = 'mt-2 text-sm font-medium text-warning-text';
  note.textContent = offline;
  form.append(note);
  // The server may be out of reach for a moment longer.
  do await pauseOrOnline();
  while (!(await isReachable()));
  note.remove();
}

/** The buttons that submit forms; those that send photographs stay. */
const submitButtons = (form: HTMLFormElement): HTMLButtonElement[] =>
  Array.from(form.elements).filter(
    (element): element is HTMLButtonElement =>
      element instanceof HTMLButtonElement && element.type === 'submit' && !('send' in element.dataset),
  );

/** Buttons that are disabled while another form is being sent. */
const heldButtons = new Set<HTMLButtonElement>();

/** Shows of a form that it cannot be sent now. */
function hold(form: HTMLFormElement): void {
  for (const button of submitButtons(form).filter(({ disabled }) => !disabled)) {
    button.disabled = true;
    heldButtons.add(button);
  }
}

function release(): void {
  for (const button of heldButtons) button.disabled = false;
  heldButtons.clear();
}

/**
 * Sends chosen photographs and all typed reasons along with any form, so that none is lost. Finishing with open rows asks for
 * confirmation first.
 */
export function enhanceFinishing(): void {
  const dialog = document.querySelector<HTMLDialogElement>('#finishing');
  if (!dialog) return;
  let isSubmitting = false;
  let isFinishing = false;
  async function finish(sent: HTMLFormElement): Promise<void> {
    const { waiting = '', offline = '' } = dialog!.dataset;
    const asked = await sendFilesFirst(sent, waiting);
    if (!asked) return;
    // While nothing has arrived or is answered, the answer is that, and not a question first.
    const asks = 'done' in asked.dataset && (!('nothing' in asked.dataset) || typedReasons().length > 0);
    if (asks && !(await confirmFinish(dialog!))) return;
    await waitForNetwork(asked, offline);
    // More may have been chosen meanwhile.
    const form = await sendFilesFirst(asked, waiting);
    if (!form) return;
    const others = typedReasons().filter((field) => field.form !== form);
    const told = await Promise.all(others.map(sendReason));
    isSubmitting = true;
    // If a reason did not arrive, submit its own form, so that the page shows the error.
    (others.find((_, index) => !told[index])?.form ?? present(form) ?? form).submit();
  }
  // Delegated to the document, since parts of the page are replaced when a file has arrived.
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (form.method !== 'post') return;
    event.preventDefault();
    if (isSubmitting) return;
    // A row that was replaced meanwhile has new buttons.
    if (isFinishing) return hold(form);
    isFinishing = true;
    for (const other of document.forms) if (other !== form && other.method === 'post') hold(other);
    void finish(form).finally(() => {
      isFinishing = false;
      release();
    });
  });
  addEventListener('pageshow', () => (isSubmitting = false));
  addEventListener('beforeunload', (event) => {
    if (!isSubmitting && typedReasons().length > 0) event.preventDefault();
  });
}
