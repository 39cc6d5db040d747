import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { kindsOf, merged, piecesFor, touchesSessions } from './changes.ts';
import { createHub } from './hub.ts';

const some = { clients: new Set([5]), unassigned: false };

test('a listener with limited access receives only the clients that it sees, and never the id of a folder', () => {
  const change = { kind: 'items' as const, items: [1, 2], parents: [9, null], clients: [5, 6, 0] };
  assert.equal(piecesFor([change], 1, some), [{ kind: 'items', clients: [5] }]);
  assert.equal(piecesFor([change], 1, { ...some, unassigned: true }), [{ kind: 'items', clients: [5, 0] }]);
  assert.equal(piecesFor([{ ...change, clients: [6] }], 1, some), []);
  assert.equal(piecesFor([{ kind: 'items' }], 1, some), [], 'a change without clients is not sent');
  assert.equal(piecesFor([change], 1, null), [change]);
});

test('changes of one client are not sent to a listener who sees only another', () => {
  const all = merged([
    { kind: 'items', clients: [6], parents: [1] },
    { kind: 'plan' },
    { kind: 'clients', clients: [6] },
  ]);
  assert.equal(piecesFor(all, 1, some), [{ kind: 'plan' }]);
});

test('long lists of clients are not shortened, since a listener of one of them would miss the change', () => {
  const clients = Array.from({ length: 500 }, (_, n) => n);
  const [piece] = piecesFor(merged([{ kind: 'items', clients }]), 1, some);
  assert.equal(piece, { kind: 'items', clients: [5] });
  assert.equal(piecesFor([{ kind: 'items', clients }], 1, null), [{ kind: 'items' }]);
});

test('changes of jobs are sent only to their user', () => {
  assert.equal(piecesFor(merged([{ kind: 'jobs', userId: 7 }]), 8, null), []);
  assert.equal(piecesFor(merged([{ kind: 'jobs', userId: 7 }]), 7, some), [{ kind: 'jobs' }]);
});

test('reading actions send no change, and an unlisted action has the kinds of its module', () => {
  assert.equal(kindsOf('document.download'), []);
  assert.equal(kindsOf('auth.sign_in'), []);
  assert.equal(kindsOf('document.restore'), ['items']);
  assert.equal(kindsOf('request.return_file'), ['requests', 'items'], 'lists mark what was sent back');
  assert.equal(kindsOf('request.delete'), ['requests', 'items'], 'until the request is gone');
  assert.ok(touchesSessions('auth.sign_out'));
  assert.not.ok(touchesSessions('document.move'));
});

test('the history of broadcasts is bounded, and a listener from before it receives a reset', async () => {
  const hub = createHub({ limits: { perUser: 9, perFirm: 9, history: 3, batchMs: 0 } });
  const actor = { userId: 1, firmId: 1, sessionId: 1, role: 'admin' as const, permissions: [] } as never;
  const join = (lastId?: string) => {
    const sent: string[] = [];
    const stream = { send: (text: string) => void sent.push(text), end: () => {} };
    hub.join({ actor, visibleClients: null, stream }, lastId);
    return sent.join('');
  };
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    ids.push(hub.currentEventId());
    hub.publish(1, null, [{ kind: 'plan' }]);
    await new Promise((next) => setTimeout(next, 5));
  }
  assert.match(join(ids[1]), /event: reset/);
  assert.is(join(ids[2]).match(/event: change/g)!.length, 3);
  assert.not.match(join(hub.currentEventId()), /event: change/);
  hub.stop();
});

test.run();
