import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createCanvas } from '@napi-rs/canvas';
import { page } from '../convert/clean.ts';
import { letterPaper } from './letter.ts';

test('an e-mail on paper has its time as the screen shows it', async () => {
  const asha = [{ name: 'Asha Rao', address: 'asha@rao.in' }];
  const sent_at = '2026-11-22T13:00:00.000Z';
  const mail = {
    subject: 'Notice',
    from: asha,
    to: asha,
    cc: [],
    sent_at,
    attachments: [],
    remote_pictures: 0,
  };
  const { draw } = await letterPaper(page('mail', '<p>Dear Sir</p>'), { kind: 'mail', ...mail } as never);
  const texts: string[] = [];
  const context = createCanvas(10, 10).getContext('2d');
  context.fillText = (text) => void texts.push(text);
  await draw(context, 1);
  assert.match(texts.join(' '), /Sent Nov 22, 2026, 6:30 PM/);
});

test.run();
