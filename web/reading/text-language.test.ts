// Which language a text is in, and when it is left open.
import { expect, test } from 'vitest'
import { languageOf } from './text-language.ts'

test.each([
  [
    'en',
    'At six the water is the colour of the sky, and the sky has not decided. It was a morning for gulls.',
  ],
  [
    'de',
    'Der Nebel hat einen Ton, und wer lange genug am Wasser steht, der hört ihn auch. Es ist nicht das Horn.',
  ],
  [
    'fr',
    'Le matin, les bateaux sont rentrés et la mer était calme, mais pas pour longtemps. Il pleut dans le port.',
  ],
  [
    'es',
    'El río no es ancho, pero los barcos que pasan por la noche se oyen como si fuera el mar.',
  ],
  [
    'nl',
    'Het water is niet diep, maar de boot van de buren ligt er al een jaar en niemand is er mee naar zee.',
  ],
  ['ar', 'رسالة إلى نافذة لا تُفتح'],
  ['fa', 'نامه‌ای به پنجره‌ای که باز نمی‌شود، گفت'],
  ['he', 'מכתב לחלון שלא נפתח'],
  ['ja', '開かない窓への手紙です'],
  ['zh', '致一扇打不开的窗'],
  ['ko', '열리지 않는 창문에게 보내는 편지'],
  ['el', 'Γράμμα σε ένα παράθυρο που δεν ανοίγει'],
  ['uk', 'Лист до вікна, яке не відчиняється, їй'],
])('%s', (language, text) => {
  expect(languageOf(text)).toBe(language)
})

test.each([
  ['nothing', ''],
  ['only figures', '12 345 :-)'],
  ['a few words', 'Binnenschiffer'],
  ['names', 'Linnea Tomas Yusuf Ines Mara Kowalski Brandt Haddad Osei'],
  ['Cyrillic letters that several languages share', 'Писмо до прозорец'],
])('%s is left open', (_name, text) => {
  expect(languageOf(text)).toBe(undefined)
})
