// The cover of a post without an image: the first letter of its title on one of four backgrounds.

export const COVER_BACKGROUNDS = 4

/**
 * `letter` has its marks with it. `isCentered`: letters that do not stand on a line as Latin ones
 * do are centred instead of cut by the lower edge. `background` depends on the slug alone, so that
 * a post keeps it.
 */
export function coverOf({ title, slug }: { title: string; slug: string }): {
  letter: string
  isCentered: boolean
  background: number
} {
  const letter = /[\p{L}\p{N}]\p{M}*/u.exec(title)?.[0] ?? '·'
  const capital = letter.toLocaleUpperCase('en')
  let sum = 0
  for (const character of slug) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  return {
    letter: capital.length > letter.length ? letter : capital,
    isCentered: !/[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]/u.test(letter),
    background: (sum % COVER_BACKGROUNDS) + 1,
  }
}

export function LetteredCover({ title, slug }: { title: string; slug: string }) {
  const { letter, isCentered, background } = coverOf({ title, slug })
  return (
    <div
      className={`cover cover--${background}${isCentered ? ' cover--centered' : ''}`}
      aria-hidden="true"
    >
      <b>{letter}</b>
    </div>
  )
}
