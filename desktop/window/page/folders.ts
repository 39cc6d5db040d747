import { chooseDisk, chooseTarget, confirm, dialog } from './choosing.ts';
import { ask, cutInMiddle, doing, h, say, tell } from './dom.ts';
import type { Shown, ShownFolder, Target } from './shown.ts';

const SUB = {
  keep: 'Make the same sub-folders in the vault',
  flat: 'Put files of sub-folders into one folder',
  none: 'Leave sub-folders alone',
};
const AFTER = {
  leave: 'Leave the file where it is',
  move: 'Move it to “Uploaded”',
  delete: 'Delete it here',
};

/** As they stand behind the place to which the files go. */
const SUB_DONE = {
  keep: 'with sub-folders',
  flat: 'files of sub-folders too, in one folder',
  none: 'without sub-folders',
};
const AFTER_DONE = {
  leave: 'files stay here',
  move: 'then moved to “Uploaded”',
  delete: 'then deleted here',
};

function options(name: string, words: Record<string, string>, chosen: string): HTMLElement {
  const choices = Object.entries(words).map(([value, text]) =>
    h(
      'label',
      { class: 'choice' },
      h('input', { type: 'radio', name, value, checked: value === chosen }),
      text,
    ),
  );
  return h('div', { class: 'stack tight' }, ...choices);
}

/** The form that adds or changes a watched folder. */
export async function editFolder(state: Shown, folder?: ShownFolder): Promise<void> {
  const connected = state.vaults.filter(({ connected }) => connected);
  if (connected.length === 0) return tell('Connect this computer with a vault first.');
  let to: Target | null = folder ?? null;
  let path = folder?.path ?? '';
  await dialog<true>(folder ? 'Watched folder' : 'Watch a folder', (close) => {
    const [from, where] = [h('output', { class: 'chosen' }), h('output', { class: 'chosen' })];
    const draw = () => {
      say(from, path || 'None chosen');
      say(where, to ? to.target : 'None chosen');
    };
    draw();
    const out = h('textarea', { rows: 2, 'aria-describedby': 'patterns', spellcheck: 'false' });
    out.value = folder?.leave_out.join('\n') ?? '';
    const trouble = h('p', { class: 'problem', role: 'alert' });
    const save = async (event: Event) => {
      event.preventDefault();
      const form = new FormData(event.currentTarget as HTMLFormElement);
      try {
        if (!to) throw new Error('Choose where the files go.');
        await ask('POST', folder ? `/api/folders/${folder.id}` : '/api/folders', {
          vault: to.vault,
          parent_id: to.parent_id,
          client_id: to.client_id,
          target: to.target,
          path,
          sub_folders: form.get('sub_folders'),
          after: form.get('after'),
          leave_out: out.value.split('\n'),
        });
        close(true);
      } catch (error) {
        say(trouble, error instanceof Error ? error.message : String(error));
      }
    };
    const pick = (label: string, choose: () => Promise<void>) =>
      h('button', { type: 'button', onclick: doing(choose) }, label);
    return h(
      'form',
      { class: 'stack', onsubmit: save },
      h(
        'div',
        { class: 'pick' },
        h('span', { class: 'label' }, 'Folder of this computer'),
        from,
        pick('Choose...', async () => {
          path = (await chooseDisk(path)) ?? path;
          draw();
        }),
      ),
      h(
        'div',
        { class: 'pick' },
        h('span', { class: 'label' }, 'Goes to'),
        where,
        pick('Choose...', async () => {
          to = (await chooseTarget(connected)) ?? to;
          draw();
        }),
      ),
      h(
        'fieldset',
        {},
        h('legend', {}, 'Sub-folders'),
        options('sub_folders', SUB, folder?.sub_folders ?? 'keep'),
      ),
      h(
        'fieldset',
        {},
        h('legend', {}, 'When a file is in the vault'),
        options('after', AFTER, folder?.after ?? 'leave'),
      ),
      h(
        'label',
        { class: 'stack tight' },
        'Leave out',
        out,
        h(
          'span',
          { id: 'patterns', class: 'muted' },
          'One pattern a line, such as *.bak or Old/*. Temporary and hidden files are left out anyway.',
        ),
      ),
      trouble,
      h('div', { class: 'row end' }, h('button', { class: 'main' }, folder ? 'Save' : 'Watch this folder')),
    );
  });
}

function card(state: Shown, folder: ShownFolder): HTMLElement {
  const vault = state.vaults.find(({ id }) => id === folder.vault);
  const problem = folder.trouble ?? folder.away;
  const place = state.vaults.length > 1 ? `${folder.target}, ${vault?.firm_name}` : folder.target;
  const about = [`to ${place}`, SUB_DONE[folder.sub_folders], AFTER_DONE[folder.after]];
  if (folder.leave_out.length > 0) about.push(`except ${folder.leave_out.join(', ')}`);
  return h(
    'li',
    { class: 'card folder' },
    h(
      'div',
      { class: 'what' },
      h('strong', { title: folder.path, class: 'cut' }, ...cutInMiddle(folder.path)),
      h('span', { class: 'muted' }, about.join(' · ')),
    ),
    problem ? h('p', { class: 'problem' }, problem) : null,
    h(
      'div',
      { class: 'row' },
      folder.trouble
        ? h('button', { onclick: doing(() => ask('POST', `/api/folders/${folder.id}/retry`, {})) }, 'Retry')
        : null,
      h('button', { onclick: doing(() => editFolder(state, folder)) }, 'Change'),
      h(
        'button',
        {
          onclick: doing(async () => {
            const words = `Files in ${folder.path} do not go to the vault any more. Nothing is deleted, neither here nor there.`;
            if (await confirm('Stop watching this folder?', words, 'Stop watching'))
              await ask('POST', `/api/folders/${folder.id}/remove`, {});
          }),
        },
        'Stop watching',
      ),
    ),
  );
}

/** The list of watched folders. */
export function foldersView() {
  let drawn = '';
  let latest: Shown;
  const list = h('ul', { class: 'cards' });
  const empty = h(
    'p',
    { class: 'empty' },
    'No folder is watched yet. Choose the one that your scanner, Tally or the portals save into.',
  );
  const element = h(
    'section',
    {},
    h(
      'div',
      { class: 'head' },
      h('h2', {}, 'Watched folders'),
      h('button', { class: 'main', onclick: doing(() => editFolder(latest)) }, 'Watch a folder'),
    ),
    empty,
    list,
  );
  return {
    element,
    draw(state: Shown): void {
      latest = state;
      empty.hidden = state.folders.length > 0;
      const now = JSON.stringify([
        state.folders,
        state.vaults.map(({ firm_name, connected }) => [firm_name, connected]),
      ]);
      if (now === drawn) return;
      drawn = now;
      list.replaceChildren(...state.folders.map((folder) => card(state, folder)));
    },
  };
}
