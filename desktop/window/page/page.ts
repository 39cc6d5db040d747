import { accountView, connectForm } from './account.ts';
import { chooseTarget } from './choosing.ts';
import { ask, doing, h, say, tell } from './dom.ts';
import { foldersView } from './folders.ts';
import { queueView } from './queue.ts';
import type { Shown } from './shown.ts';

interface LogLine {
  at: number;
  kind: string;
  text: string;
}
function logView() {
  const list = h('ul', { class: 'log' });
  const element = h('section', {}, h('div', { class: 'head' }, h('h2', {}, 'Log')), list);
  let busy = false;
  return {
    element,
    async draw(): Promise<void> {
      if (busy || element.hidden) return;
      busy = true;
      const lines = await ask<LogLine[]>('GET', '/api/log').catch(() => []);
      busy = false;
      const when = (at: number) =>
        new Date(at).toLocaleString('en-IN', { dateStyle: 'medium', timeStyle: 'short' });
      list.replaceChildren(
        ...lines.map(({ at, kind, text }) =>
          h('li', { 'data-kind': kind }, h('time', { class: 'muted' }, when(at)), text),
        ),
      );
      if (lines.length === 0) list.replaceChildren(h('li', { class: 'muted' }, 'Nothing has happened yet.'));
    },
  };
}

let state: Shown | undefined;
const views = { Queue: queueView(), Folders: foldersView(), Account: accountView(), Log: logView() };
const tabs = Object.keys(views).map((name) =>
  h(
    'button',
    { role: 'tab', id: `tab-${name}`, 'aria-controls': `view-${name}`, onclick: () => open(name) },
    name,
  ),
);
for (const [name, { element }] of Object.entries(views)) {
  element.id = `view-${name}`;
  element.setAttribute('role', 'tabpanel');
  element.setAttribute('aria-labelledby', `tab-${name}`);
}
const pause = h(
  'button',
  { onclick: doing(() => ask('POST', '/api/settings', { paused: !state?.paused })) },
  'Pause',
);
const notices = h('div', { class: 'notices', role: 'status' });
const welcome = h(
  'section',
  { class: 'welcome' },
  h('h1', {}, 'Connect this computer with your vault'),
  h('p', { class: 'muted' }, 'Your password stays in the browser: this program never asks for it.'),
  connectForm(),
);
const bar = h(
  'nav',
  { class: 'bar' },
  h('div', { role: 'tablist', class: 'row', 'aria-label': 'Screens' }, ...tabs),
  pause,
);
bar.addEventListener('keydown', (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const at = tabs.indexOf(document.activeElement as HTMLButtonElement);
  if (!step || at < 0) return;
  const next = tabs[(at + step + tabs.length) % tabs.length]!;
  next.focus();
  next.click();
});
document
  .querySelector('#app')!
  .append(bar, notices, welcome, ...Object.values(views).map(({ element }) => element));

function open(name: string): void {
  for (const [one, { element }] of Object.entries(views)) {
    element.hidden = one !== name;
    const tab = document.querySelector(`#tab-${one}`)!;
    tab.setAttribute('aria-selected', String(one === name));
    tab.setAttribute('tabindex', one === name ? '0' : '-1');
  }
  void views.Log.draw();
}

function draw(now: Shown): void {
  state = now;
  const paired = now.vaults.length > 0;
  bar.hidden = !paired;
  welcome.hidden = paired;
  for (const { element } of Object.values(views)) element.toggleAttribute('inert', !paired);
  for (const { element } of Object.values(views)) element.classList.toggle('away', !paired);
  say(pause, now.paused ? 'Resume' : 'Pause');
  const held = now.vaults.filter(({ hold }) => hold);
  const text = JSON.stringify(held.map(({ id, hold }) => [id, hold]));
  if (notices.dataset.text !== text) {
    notices.dataset.text = text;
    notices.replaceChildren(
      ...held.map(({ id, base, firm_name, hold }) =>
        h(
          'div',
          { class: 'notice' },
          h('span', {}, h('strong', {}, firm_name), ` ${hold!.message}`),
          hold!.hold === 'ended'
            ? h(
                'button',
                { onclick: doing(() => ask('POST', '/api/pair', { address: base })) },
                'Connect again in the browser',
              )
            : h('button', { onclick: doing(() => ask('POST', `/api/vaults/${id}/ask`, {})) }, 'Try now'),
        ),
      ),
    );
  }
  for (const view of [views.Queue, views.Folders, views.Account]) view.draw(now);
  void views.Log.draw();
  document.title =
    now.counts.sending > 0
      ? `Uploading ${now.counts.sending + now.counts.waiting} · Almirah Uploader`
      : 'Almirah Uploader';
}

/** Sends dropped files to the program, which stores them until they are in the vault. */
async function drop(files: File[]): Promise<void> {
  if (!state || files.length === 0) return;
  const connected = state.vaults.filter((vault) => vault.connected);
  if (connected.length === 0) return tell('Connect this computer with a vault first.');
  const to = await chooseTarget(connected);
  if (!to) return;
  open('Queue');
  const failed: string[] = [];
  for (const [at, file] of files.entries()) {
    tell(`Taking ${at + 1} of ${files.length} files…`);
    const query = new URLSearchParams({
      vault: String(to.vault),
      parent_id: String(to.parent_id ?? ''),
      client_id: String(to.client_id ?? ''),
      target: to.target,
      name: file.name,
      changed_at: String(file.lastModified),
    });
    await ask('POST', `/api/drop?${query}`, file).catch((error: Error) => failed.push(error.message));
  }
  tell(failed.length > 0 ? `${failed.length} of ${files.length} files were not taken. ${failed[0]}` : '');
}
const chooser = h('input', { type: 'file', multiple: true, hidden: true });
chooser.addEventListener(
  'change',
  () => void drop([...(chooser.files ?? [])]).then(() => (chooser.value = '')),
);
views.Queue.element
  .querySelector('.head .row')!
  .prepend(h('button', { class: 'main', onclick: () => chooser.click() }, 'Add files'));
document.body.append(chooser);
for (const name of ['dragenter', 'dragover'] as const)
  addEventListener(name, (event) => {
    event.preventDefault();
    document.body.classList.add('aim');
  });
addEventListener('dragleave', (event) => {
  if (!event.relatedTarget) document.body.classList.remove('aim');
});
addEventListener('drop', (event) => {
  event.preventDefault();
  document.body.classList.remove('aim');
  void drop([...(event.dataTransfer?.files ?? [])]);
});

open('Queue');
const events = new EventSource('/api/events');
events.addEventListener('message', (event) => {
  document.querySelector('#ended')!.toggleAttribute('hidden', true);
  draw(JSON.parse(event.data as string) as Shown);
});
events.addEventListener('error', () => document.querySelector('#ended')!.toggleAttribute('hidden', false));
