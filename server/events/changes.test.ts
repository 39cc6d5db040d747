import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { kindsOf, merged, piecesFor, touchesSessions } from './changes.ts';
import { createHub } from './hub.ts';

const some = { clients: new Set([5]), unassigned: false };

test('who sees some clients is told of these alone, and never the id of a folder', () => {
  const change = { kind: 'items' as const, items: [1, 2], parents: [9, null], clients: [5, 6, 0] };
  assert.equal(piecesFor([change], 1, some), [{ kind: 'items', clients: [5] }]);
  assert.equal(piecesFor([change], 1, { ...some, unassigned: true }), [{ kind: 'items', clients: [5, 0] }]);
  assert.equal(piecesFor([{ ...change, clients: [6] }], 1, some), []);
  assert.equal(piecesFor([{ kind: 'items' }], 1, some), [], 'what is not said to be seen is not');
  assert.equal(piecesFor([change], 1, null), [change]);
});

test('what is put together for one client does not show itself to who sees another', () => {
  const all = merged([
    { kind: 'items', clients: [6], parents: [1] },
    { kind: 'plan' },
    { kind: 'clients', clients: [6] },
  ]);
  assert.equal(piecesFor(all, 1, some), [{ kind: 'plan' }]);
});

test('clients are never left out for being many, since then a reader of one would miss it', () => {
  const clients = Array.from({ length: 500 }, (_, n) => n);
  const [piece] = piecesFor(merged([{ kind: 'items', clients }]), 1, some);
  assert.equal(piece, { kind: 'items', clients: [5] });
  assert.equal(piecesFor([{ kind: 'items', clients }], 1, null), [{ kind: 'items' }]);
});

test('a job is its own user’s', () => {
  assert.equal(piecesFor(merged([{ kind: 'jobs', userId: 7 }]), 8, null), []);
  assert.equal(piecesFor(merged([{ kind: 'jobs', userId: 7 }]), 7, some), [{ kind: 'jobs' }]);
});

test('what only reads changes no screen, and what nobody thought of yet goes by its module', () => {
  assert.equal(kindsOf('document.download'), []);
  assert.equal(kindsOf('auth.sign_in'), []);
  assert.equal(kindsOf('document.restore'), ['items']);
  assert.ok(touchesSessions('auth.sign_out'));
  assert.not.ok(touchesSessions('document.move'));
});

test('what was told long ago is forgotten, and who asks for it loads everything', async () => {
  const hub = createHub({ limits: { perUser: 9, perFirm: 9, kept: 3, gather: 0 } });
  const actor = { userId: 1, firmId: 1, sessionId: 1, role: 'admin' as const, permissions: [] } as never;
  const join = (lastId?: string) => {
    const sent: string[] = [];
    const line = { send: (text: string) => void sent.push(text), end: () => {} };
    hub.join({ actor, sight: null, line }, lastId);
    return sent.join('');
  };
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    ids.push(hub.now());
    hub.announce(1, null, [{ kind: 'plan' }]);
    await new Promise((next) => setTimeout(next, 5));
  }
  assert.match(join(ids[1]), /event: reset/);
  assert.is(join(ids[2]).match(/event: change/g)!.length, 3);
  assert.not.match(join(hub.now()), /event: change/);
  hub.stop();
});

test.run();
