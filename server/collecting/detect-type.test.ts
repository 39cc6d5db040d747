import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { forge } from '#server/archive/read/testing/forge.ts';
import { look } from './detect-type.ts';

const PDF = Buffer.from('%PDF-1.4\ncontent\n%%EOF\n');
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const seen = (name: string, content: Buffer) => {
  const found = look(name, content.length, content.subarray(0, 4096), content);
  return 'refused' in found ? found.refused : found.name;
};

test('an archive or e-mail that begins with a PDF it contains keeps its type, or the office would see only one of its documents', () => {
  const papers = forge([
    { name: 'Form 16.pdf', data: PDF, method: 0 },
    { name: 'PAN.pdf', data: PDF, method: 0 },
  ]);
  assert.is(seen('Papers.zip', papers), 'Papers.zip');
  assert.is(seen('Papers.pdf', papers), 'not_what_it_says', 'it is shown as a PDF by its name');
  assert.is(seen('Reply.msg', Buffer.concat([OLE, Buffer.alloc(504), PDF])), 'Reply.msg');
  assert.is(seen('Reply.eml', Buffer.concat([Buffer.from('Subject: Form 16\r\n\r\n'), PDF])), 'Reply.eml');
  assert.is(seen('Papers.tar', Buffer.concat([Buffer.alloc(512, 'a'), PDF])), 'Papers.tar');
});

test('a PDF gets the extension of one whatever its name is, and may begin after a few other bytes', () => {
  const late = Buffer.concat([Buffer.from('\u001B%-12345X@PJL\n'), PDF]);
  assert.is(seen('Form 16', PDF), 'Form 16.pdf');
  assert.is(seen('Form 16.jpg', PDF), 'Form 16.pdf');
  assert.is(seen('Form 16.docx', Buffer.concat([Buffer.from('\uFEFF\n'), PDF])), 'Form 16.pdf');
  assert.is(seen('Form 16.pdf', late), 'Form 16.pdf');
});

test.run();
