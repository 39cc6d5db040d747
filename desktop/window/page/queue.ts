import { ask, bytes, count, cutInMiddle, doing, duration, h, say } from './dom.ts';
import type { Shown, ShownFile } from './shown.ts';

const STATES: Record<string, string> = {
  settling: 'Waiting until it is complete',
  waiting: 'Waiting',
  sending: 'Uploading',
  arrived: 'Uploaded',
  done: 'Uploaded',
  failed: 'Not uploaded',
};

interface Row {
  element: HTMLElement;
  draw(file: ShownFile): void;
}

function rowOf(first: ShownFile): Row {
  const [state, size] = [h('span'), h('span', { class: 'number' })];
  const bar = h('progress', { max: 1, 'aria-label': `Progress of ${first.name}` });
  const retry = h(
    'button',
    { class: 'plain', onclick: doing(() => ask('POST', `/api/files/${first.id}/retry`, {})) },
    'Retry',
  );
  const remove = h(
    'button',
    {
      class: 'plain',
      'aria-label': `Take ${first.name} out of the list`,
      onclick: doing(() => ask('POST', `/api/files/${first.id}/remove`, {})),
    },
    'Remove',
  );
  const element = h(
    'li',
    { class: 'file' },
    h(
      'div',
      { class: 'what' },
      h('strong', { title: first.path || first.name, class: 'cut' }, ...cutInMiddle(first.name)),
      h('span', { class: 'muted' }, `to ${first.target}`),
    ),
    h('div', { class: 'how' }, state, bar),
    size,
    h('div', { class: 'do' }, retry, remove),
  );
  return {
    element,
    draw(file) {
      element.dataset.state = file.state;
      say(state, file.problem ?? STATES[file.state] ?? '');
      bar.hidden = file.state !== 'sending';
      bar.value = file.size > 0 ? file.sent / file.size : 0;
      say(size, file.state === 'sending' ? `${bytes(file.sent)} of ${bytes(file.size)}` : bytes(file.size));
      retry.hidden = file.state !== 'failed';
      remove.hidden = file.state === 'done' || file.state === 'arrived';
    },
  };
}

/** The list of active, queued and finished files. */
export function queueView() {
  const rows = new Map<number, Row>();
  const list = h('ul', { class: 'files', 'aria-label': 'Files' });
  const headline = h('h2');
  const figures = h('p', { class: 'muted', 'aria-live': 'polite' });
  const retryAll = h('button', { onclick: doing(() => ask('POST', '/api/files/retry', {})) }, 'Retry all');
  const clear = h('button', { onclick: doing(() => ask('POST', '/api/files/clear', {})) }, 'Clear uploaded');
  const empty = h('p', { class: 'empty' });
  const more = h('p', { class: 'muted' });
  const element = h(
    'section',
    {},
    h('div', { class: 'head' }, h('div', {}, headline, figures), h('div', { class: 'row' }, retryAll, clear)),
    empty,
    list,
    more,
  );
  return {
    element,
    draw(state: Shown): void {
      const { counts, files } = state;
      const open = counts.waiting + counts.sending;
      const held = state.vaults.find(({ hold }) => hold)?.hold;
      say(
        headline,
        state.paused
          ? open > 0
            ? `Paused: ${count(open, 'file')} waiting`
            : 'Paused'
          : open > 0
            ? `${count(open, 'file')} to upload`
            : files.length > 0
              ? 'All files are uploaded'
              : 'Nothing to upload',
      );
      if (open === 0 && counts.failed > 0) say(headline, `${count(counts.failed, 'file')} not uploaded`);
      const parts = open > 0 ? [`${bytes(state.bytes_left)} left`] : [];
      const moving = counts.sending > 0 && !state.paused && !held;
      if (state.speed > 0 && moving) parts.push(`${bytes(state.speed)}/s`);
      if (state.seconds_left !== null && moving) parts.push(`about ${duration(state.seconds_left)}`);
      if (counts.failed > 0 && open > 0) parts.push(`${count(counts.failed, 'file')} not uploaded`);
      say(figures, parts.join(' · '));
      retryAll.hidden = counts.failed === 0;
      clear.hidden = !files.some((file) => file.state === 'done');
      empty.hidden = files.length > 0;
      say(
        empty,
        state.folders.length > 0
          ? 'New files in the watched folders appear here by themselves. You can also drop files into this window.'
          : 'Watch a folder, such as the one your scanner saves into, or drop files into this window.',
      );
      const wanted = new Set(files.map(({ id }) => id));
      for (const [id, row] of rows) {
        if (wanted.has(id)) continue;
        row.element.remove();
        rows.delete(id);
      }
      for (const [at, file] of files.entries()) {
        const row = rows.get(file.id) ?? rowOf(file);
        rows.set(file.id, row);
        row.draw(file);
        if (list.children[at] !== row.element) list.insertBefore(row.element, list.children[at] ?? null);
      }
      const hidden = open + counts.failed - files.filter((file) => file.state !== 'done').length;
      say(more, hidden > 0 ? `and ${count(hidden, 'more file', 'more files')}` : '');
    },
  };
}
