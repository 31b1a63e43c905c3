// The direction of a text, by its first strong letter (the rule of HTML's dir="auto"), so that a
// whole article can follow its title.

const FIRST_LETTER = /\p{L}/u
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u

export type Direction = 'ltr' | 'rtl'

export function directionOf(text: string): Direction {
  const letter = FIRST_LETTER.exec(text)?.[0]
  return letter !== undefined && RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr'
}
