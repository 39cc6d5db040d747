import type { TargetClient, TargetFolders } from '#server/desktop/contract.ts';
import { ask, doing, h } from './dom.ts';
import type { ShownVault, Target } from './shown.ts';

/** Opens a dialog; resolves with its result, or null when it is closed. */
export function dialog<T>(
  title: string,
  fill: (close: (answer: T) => void) => HTMLElement,
): Promise<T | null> {
  return new Promise((resolve) => {
    let answer: T | null = null;
    const element = h('dialog', { 'aria-label': title });
    const close = (given: T) => {
      answer = given;
      element.close();
    };
    element.append(
      h(
        'div',
        { class: 'head' },
        h('h2', {}, title),
        h('button', { class: 'plain', 'aria-label': 'Close', onclick: () => element.close() }, '✕'),
      ),
      fill(close),
    );
    element.addEventListener('close', () => {
      element.remove();
      resolve(answer);
    });
    document.body.append(element);
    element.showModal();
  });
}

/** A list of folders to navigate, with its own error message. */
function listing(name: string) {
  const list = h('ul', { class: 'places', 'aria-label': name });
  const trouble = h('p', { class: 'problem', role: 'alert' });
  return {
    list,
    trouble,
    async show(load: () => Promise<HTMLElement[]>): Promise<void> {
      trouble.textContent = '';
      try {
        list.replaceChildren(...(await load()));
      } catch (error) {
        trouble.textContent = error instanceof Error ? error.message : String(error);
      }
    },
  };
}
const place = (name: string, note: string | null, go: () => void) =>
  h(
    'li',
    {},
    h('button', { class: 'place', onclick: go }, name, note ? h('span', { class: 'muted' }, note) : null),
  );

interface Disk {
  path: string;
  up: string | null;
  drives: string[];
  folders: { name: string; path: string }[];
}

/** Chooses a local folder. */
export const chooseDisk = (from: string): Promise<string | null> =>
  dialog<string>('Choose a folder of this computer', (close) => {
    const { list, trouble, show } = listing('Folders');
    const at = h('input', { 'aria-label': 'Path', spellcheck: 'false' });
    const go = (path: string): Promise<void> =>
      show(async () => {
        const disk = await ask<Disk>('GET', `/api/disk?path=${encodeURIComponent(path)}`);
        at.value = disk.path;
        return [
          ...(disk.up
            ? [place('↑ One level up', null, () => void go(disk.up!))]
            : disk.drives.map((one) => place(one, null, () => void go(one)))),
          ...disk.folders.map((one) => place(one.name, null, () => void go(one.path))),
        ];
      });
    at.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') void go(at.value);
    });
    void go(from);
    return h(
      'div',
      { class: 'stack' },
      at,
      trouble,
      list,
      h(
        'div',
        { class: 'row end' },
        h('button', { class: 'main', onclick: () => close(at.value) }, 'Choose this folder'),
      ),
    );
  });

/** Chooses a folder of a vault, or a client. */
export const chooseTarget = (vaults: readonly ShownVault[]): Promise<Target | null> =>
  dialog<Target>('Where the files go', (close) => {
    const { list, trouble, show } = listing('Places in the vault');
    const which = h('select', { 'aria-label': 'Vault' });
    for (const { id, firm_name, user_name } of vaults)
      which.append(h('option', { value: id }, `${firm_name} (${user_name})`));
    which.hidden = vaults.length < 2;
    const search = h('input', { type: 'search', placeholder: 'Client name', 'aria-label': 'Client name' });
    const here = h('p', { class: 'muted' });
    let current: Target = { vault: 0, parent_id: null, client_id: null, target: 'My Drive' };
    const choose = h('button', { class: 'main', onclick: () => close(current) }, 'Choose this folder');

    const folders = (parent: number | null): Promise<void> =>
      show(async () => {
        const vault = Number(which.value);
        const {
          breadcrumbs,
          folders: below,
          more,
        } = await ask<TargetFolders>('GET', `/api/vaults/${vault}/folders?parent=${parent ?? ''}`);
        const names = ['My Drive', ...breadcrumbs.map(({ name }) => name)];
        current = { vault, parent_id: parent, client_id: null, target: names.join(' / ') };
        here.textContent = current.target + (more ? ' (not all folders are shown)' : '');
        const up = breadcrumbs.at(-2)?.id ?? null;
        return [
          ...(parent === null ? [] : [place('↑ One level up', null, () => void folders(up))]),
          ...below.map(({ id, name, client_name }) =>
            place(name, client_name === name ? null : client_name, () => void folders(id)),
          ),
        ];
      });
    const clients = (): Promise<void> =>
      show(async () => {
        const vault = Number(which.value);
        const found = await ask<TargetClient[]>(
          'GET',
          `/api/vaults/${vault}/clients?q=${encodeURIComponent(search.value)}`,
        );
        here.textContent =
          found.length > 0
            ? 'Choose a client. Its folder is made when it has none yet.'
            : 'No client of this name.';
        return found.map(({ id, name, city }) =>
          place(name, city, () => close({ vault, parent_id: null, client_id: id, target: name })),
        );
      });
    const kind = (client: boolean) => () => {
      search.hidden = !client;
      choose.hidden = client;
      for (const [at, one] of tabs.entries()) one.setAttribute('aria-pressed', String(client === (at === 1)));
      void (client ? clients() : folders(null));
    };
    const tabs = [
      h('button', { onclick: kind(false) }, 'A folder'),
      h('button', { onclick: kind(true) }, 'A client'),
    ];
    search.addEventListener('input', () => void clients());
    which.addEventListener('change', () => void (search.hidden ? folders(null) : clients()));
    setTimeout(kind(false));
    return h(
      'div',
      { class: 'stack' },
      which,
      h('div', { class: 'row' }, ...tabs),
      search,
      here,
      trouble,
      list,
      h('div', { class: 'row end' }, choose),
    );
  });

/** Asks for confirmation. */
export const confirm = (title: string, words: string, action: string): Promise<boolean | null> =>
  dialog<boolean>(title, (close) =>
    h(
      'div',
      { class: 'stack' },
      h('p', {}, words),
      h(
        'div',
        { class: 'row end' },
        h('button', { onclick: () => close(false) }, 'Cancel'),
        h('button', { class: 'danger', onclick: doing(async () => close(true)) }, action),
      ),
    ),
  );
