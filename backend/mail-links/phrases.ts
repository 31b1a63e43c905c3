// Two words that a person compares: those on the screen where a mail was asked for with those in
// the mail. Not a secret.
import { randomInt } from 'node:crypto'

const FIRST =
  'amber brave calm clever curious early gentle golden kind little lucky merry modest patient quiet silver'
const SECOND =
  'badger beacon candle comet ferry garden harbour heron island lantern maple meadow otter pebble sparrow window'

export function makePhrase(): string {
  const [first, second] = [FIRST, SECOND].map((text) => {
    const words = text.split(' ')
    return words[randomInt(words.length)] ?? ''
  })
  return `${first} ${second}`
}
