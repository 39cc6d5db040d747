import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Context } from 'koa';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rawBody } from './body.ts';

const test = suite('bodies of requests');

test('a body whose sender has gone before it is asked for is refused at once, and nobody waits for a minute', async () => {
  const req = new IncomingMessage(new Socket());
  req.destroy();
  const failed = await rawBody({ req } as Context).then(
    () => assert.unreachable(),
    (error: Error) => error,
  );
  assert.is(failed.message, 'The client went away.');
});

test.run();
