import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { whatsAppUrl } from './whatsApp.ts';

test('an Indian number gets its country code, however it is written', () => {
  for (const phone of ['9820012345', '+91 98200 12345', '098200-12345'])
    assert.is(
      whatsAppUrl(phone, 'Your link & more'),
      'https://wa.me/919820012345?text=Your%20link%20%26%20more',
    );
});

test('a foreign number is not cut to ten digits, since the message would go to a stranger', () => {
  for (const phone of ['+44 20 7946 0958', '+1 (415) 555-26714', '12345', '', null, undefined])
    assert.is(whatsAppUrl(phone, 'Hi'), 'https://wa.me/?text=Hi', String(phone));
});

test.run();
