import { confirm } from './choosing.ts';
import { ask, doing, h, say } from './dom.ts';
import type { Shown } from './shown.ts';

/** The form that pairs with a vault: by the signed-in browser, or by a code. */
export function connectForm(): HTMLElement {
  const address = h('input', {
    required: true,
    placeholder: 'https://vault.firm.in',
    'aria-label': 'Address of the vault',
    spellcheck: 'false',
  });
  const code = h('input', {
    placeholder: 'ABCD EFGH',
    'aria-label': 'Code',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const trouble = h('p', { class: 'problem', role: 'alert' });
  const hint = h('p', { class: 'muted', 'aria-live': 'polite' });
  const run = (work: () => Promise<string>) =>
    doing(async () => {
      say(trouble, '');
      say(hint, '');
      try {
        say(hint, await work());
      } catch (error) {
        say(trouble, error instanceof Error ? error.message : String(error));
      }
    });
  const inBrowser = h(
    'button',
    {
      class: 'main',
      onclick: run(async () => {
        await ask('POST', '/api/pair', { address: address.value });
        return 'Your browser opens. Sign in there if it asks, and click Connect.';
      }),
    },
    'Connect in the browser',
  );
  const byCode = h(
    'button',
    {
      onclick: run(async () => {
        await ask('POST', '/api/pair-code', { address: address.value, code: code.value });
        return 'Connected.';
      }),
    },
    'Connect',
  );
  for (const [field, button] of [
    [address, inBrowser],
    [code, byCode],
  ] as const)
    field.addEventListener('keydown', (event) => event.key === 'Enter' && button.click());
  return h(
    'div',
    { class: 'card stack' },
    h('label', { class: 'stack tight' }, 'Address of the vault', address),
    h('div', { class: 'row' }, inBrowser),
    h(
      'details',
      {},
      h('summary', {}, 'Connect with a code instead'),
      h(
        'div',
        { class: 'stack' },
        h(
          'p',
          { class: 'muted' },
          'Open Download App in the vault: it shows a code that is good for two minutes.',
        ),
        h('div', { class: 'row' }, code, byCode),
      ),
    ),
    hint,
    trouble,
  );
}

/** The settings screen: vaults, speed limit, autostart and quit. */
export function accountView() {
  let drawn = '';
  const vaults = h('ul', { class: 'cards' });
  const speed = h('select', { 'aria-label': 'Speed limit' });
  for (const [value, words] of [
    [0, 'As fast as possible'],
    [131072, '128 KB/s'],
    [524288, '512 KB/s'],
    [1048576, '1 MB/s'],
    [5242880, '5 MB/s'],
    [20971520, '20 MB/s'],
  ] as const)
    speed.append(h('option', { value }, words));
  speed.addEventListener(
    'change',
    () => void ask('POST', '/api/settings', { speed_limit: Number(speed.value) }),
  );
  const start = h('input', { type: 'checkbox' });
  start.addEventListener('change', () => void ask('POST', '/api/settings', { autostart: start.checked }));
  const starting = h('label', { class: 'choice' }, start, 'Start with this computer');
  const version = h('span', { class: 'muted' });
  const update = h('button', { onclick: doing(() => ask('POST', '/api/update', {})) }, 'Update now');
  const element = h(
    'section',
    {},
    h('div', { class: 'head' }, h('h2', {}, 'Account')),
    vaults,
    h('details', { class: 'another' }, h('summary', {}, 'Connect with another vault'), connectForm()),
    h('h2', {}, 'Settings'),
    h(
      'div',
      { class: 'card stack' },
      h('label', { class: 'stack tight' }, 'Speed limit', speed),
      starting,
      h('div', { class: 'row' }, version, update),
    ),
    h(
      'div',
      { class: 'row' },
      h(
        'button',
        {
          onclick: doing(async () => {
            if (
              await confirm(
                'Quit Almirah Uploader?',
                'Files do not go up until it is started again. What waits is kept.',
                'Quit',
              )
            )
              await ask('POST', '/api/quit', {});
          }),
        },
        'Quit',
      ),
    ),
  );
  return {
    element,
    draw(state: Shown): void {
      if (document.activeElement !== speed) speed.value = String(state.speed_limit);
      starting.hidden = state.autostart === null;
      start.checked = state.autostart === true;
      say(version, `Version ${state.version}${state.update ? `; ${state.update} is ready` : ''}`);
      update.hidden = state.update === null;
      const now = JSON.stringify(state.vaults);
      if (now === drawn) return;
      drawn = now;
      vaults.replaceChildren(
        ...state.vaults.map((vault) =>
          h(
            'li',
            { class: 'card folder' },
            h(
              'div',
              { class: 'what' },
              h('strong', {}, vault.firm_name),
              h('span', { class: 'muted' }, `${vault.user_name} (${vault.user_email}) · ${vault.base}`),
            ),
            vault.connected
              ? null
              : h(
                  'p',
                  { class: 'problem' },
                  'Not connected. Connect it again; its folders and its queue are kept.',
                ),
            h(
              'div',
              { class: 'row' },
              vault.connected
                ? null
                : h(
                    'button',
                    {
                      class: 'main',
                      onclick: doing(() => ask('POST', '/api/pair', { address: vault.base })),
                    },
                    'Connect again in the browser',
                  ),
              h(
                'button',
                {
                  onclick: doing(async () => {
                    const words = `This computer forgets ${vault.firm_name}, its watched folders and what waits for it. Files stay where they are.`;
                    if (await confirm(`Disconnect from ${vault.firm_name}?`, words, 'Disconnect'))
                      await ask('POST', `/api/vaults/${vault.id}/disconnect`, {});
                  }),
                },
                'Disconnect',
              ),
            ),
          ),
        ),
      );
    },
  };
}
