import { plural } from '#server/text/plural.ts';
import type { en } from './en.ts';

export const hi: typeof en = {
  hello: (client) => `नमस्ते ${client},`,
  askedSubject: (firm, title) => `${firm} को आपके दस्तावेज़ चाहिए: ${title}`,
  asked: (name, firm, n) =>
    `${firm} से ${name} को आपसे ${plural('hi', n, { one: 'एक दस्तावेज़', other: '# दस्तावेज़' })} चाहिए।`,
  howTo: 'लिंक अपने फ़ोन या कंप्यूटर पर खोलें। आप फ़ोटो ले सकते हैं या फ़ाइलें चुन सकते हैं; पासवर्ड की ज़रूरत नहीं।',
  open: 'दस्तावेज़ भेजें',
  due: 'कृपया इस तारीख़ तक भेजें',
  needed: 'चाहिए',
  questions: (name, email) => `कोई सवाल? ${name} को ${email} पर लिखें।`,
  personal:
    'यह लिंक आपके लिए है: जिसके पास यह है, वह आपके नाम से दस्तावेज़ भेज सकता है। दस्तावेज़ों में क्या है, यह किसी को नहीं दिखता।',
  remindSubject: (title, due) => (due === null ? `याद दिलाना: ${title}` : `याद दिलाना: ${title}, ${due} तक`),
  remindLateSubject: (title, due) => `समय बीत गया: ${title}, ${due} तक चाहिए था`,
  remind: (n) => plural('hi', n, { one: 'एक दस्तावेज़ अभी बाकी है।', other: '# दस्तावेज़ अभी बाकी हैं।' }),
  returnedSubject: (title) => `कृपया फिर भेजें: ${title}`,
  returned: (name) => `आपने जो भेजा, ${name} उसे काम में नहीं ले सके। कृपया फिर भेजें।`,
  returnedFiles: (name, n) =>
    `आपकी भेजी फ़ाइलों में से ${plural('hi', n, {
      one: `एक ${name} के काम नहीं आ सकी। कृपया उसे`,
      other: `# ${name} के काम नहीं आ सकीं। कृपया उन्हें`,
    })} फिर भेजें; बाकी फ़ाइलें फिर भेजने की ज़रूरत नहीं।`,
  stillNeededSubject: (title) => `अभी चाहिए: ${title}`,
  stillNeeded: (name, n) =>
    plural('hi', n, {
      one: `आपने लिखा कि यह दस्तावेज़ आपके पास नहीं है। ${name} को यह अभी चाहिए।`,
      other: `आपने लिखा कि ये दस्तावेज़ आपके पास नहीं हैं। ${name} को ये अभी चाहिए।`,
    }),
  receiptSubject: (number, n) =>
    `रसीद ${number}: ${n === 0 ? 'आपका जवाब मिला' : plural('hi', n, { one: '1 फ़ाइल मिली', other: '# फ़ाइलें मिलीं' })}`,
  receipt: (firm, n) =>
    `${firm} को आपका ${n === 0 ? 'जवाब' : 'भेजा'} मिल गया है। इनके लिए आपको और कुछ नहीं करना है।`,
  receiptNumber: 'रसीद सं.',
  receivedOn: 'कब मिला',
  unavailable: (reason) => `आपके अनुसार उपलब्ध नहीं${reason === '' ? '' : `: ${reason}`}`,
  message: (client, firm, title, due, url) =>
    `नमस्ते ${client}, ${firm} को आपसे दस्तावेज़ चाहिए (${title})${due === null ? '' : `, कृपया ${due} तक`}। ` +
    `भेजने के लिए यह लिंक फ़ोन पर खोलें:\n${url}`,
};
